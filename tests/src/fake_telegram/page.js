// Shows what is new without taking a half-written text away.
const seen = document.body.dataset.version;
for (const talk of document.querySelectorAll(".talk")) talk.scrollTop = talk.scrollHeight;
for (const box of document.querySelectorAll("textarea")) {
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (box.value.trim()) box.form.submit();
    }
  });
}
async function look() {
  try {
    const version = await (await fetch("/page/version")).text();
    const isWriting = [...document.querySelectorAll("textarea")].some((box) => box.value);
    if (version !== seen && !isWriting) return location.reload();
  } catch { /* The server is away; the next look may find it. */ }
  setTimeout(look, 700);
}
look();
