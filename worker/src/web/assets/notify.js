// Notifications of the browser, for whoever wants them: it is asked on the press of a button alone, and what was said is
// remembered by the browser's own permission and nowhere else.

function notify(news) {
  const isWanted = "Notification" in window && Notification.permission === "granted";
  if (!isWanted || document.visibilityState === "visible") return;
  const icon = document.querySelector("link[rel=icon]").href;
  const shown = new Notification(document.title, { body: news.join("\n") || "A new question waits.", icon, tag: "pager" });
  shown.onclick = () => { window.focus(); shown.close(); };
}

function offerNotifications(offer) {
  const [button, state] = [offer.querySelector("button"), part("notify-state")];
  const look = () => {
    const permission = Notification.permission;
    button.hidden = permission !== "default";
    state.textContent = {
      granted: "This browser tells you of new questions. Take the permission back in its settings to end that.",
      denied: "This browser refuses notifications. Allow them in its settings for this site to have them.",
    }[permission] ?? "";
  };
  button.addEventListener("click", async () => { await Notification.requestPermission(); look(); });
  look();
  offer.hidden = false;
}

if (part("notify") && "Notification" in window) offerNotifications(part("notify"));
listen();
