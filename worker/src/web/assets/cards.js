// The cards of the inbox: a card in which somebody types, ticks or stands stays the node it is, and words are never lost.
// data-say is read out when a card is new; #ended li[data-key] says who ended one.

const words = new Map(); // What is being typed, by question, while this page is open. Private words are never in here.
const sending = new Set(); // Questions whose form is on its way: the reply decides what their card becomes.

const fieldOf = (node) => node.querySelector("textarea");
const isPrivate = (field) => field.classList.contains("private");
const isBusy = (node) => Boolean(hasFocus(node) || fieldOf(node)?.value.trim() || node.querySelector(":checked"));
for (const node of part("open")?.children ?? []) node.source = node.outerHTML;

// Words that cannot be sent any more stay readable until they are put away.
function keep(node, text) {
  node.append(element("p", "heading", "What you had typed"), element("p", "kept", text));
}

function overCard(key, ended) {
  const card = element("article", "card over", "");
  card.dataset.key = key;
  card.tabIndex = -1;
  card.append(...[...ended.children].map((child) => child.cloneNode(true)));
  keep(card, words.get(key));
  const away = element("button", "", "Put away");
  away.type = "button";
  away.addEventListener("click", () => { words.delete(key); card.remove(); part("headline").focus(); });
  card.append(away);
  return card;
}

// What came of what was sent. What stands in a card needs no second place.
function note(fresh) {
  const isInCard = fresh.querySelector("#notice a");
  part("notice").replaceChildren(...(isInCard ? [] : fresh.querySelector("#notice").children));
  part("notice").querySelector(".trouble")?.scrollIntoView({ block: "nearest" });
}

// The page of one question, which is over: its card stays, with what was typed, and takes nothing more.
function endOne(fresh) {
  const [card, end] = [part("open").querySelector("[data-key]"), fresh.querySelector(".notice.done")];
  if (!card || !end || card.classList.contains("ended")) return [];
  const focused = document.activeElement;
  for (const field of card.querySelectorAll("button, input, textarea")) {
    if (field.tagName === "TEXTAREA") field.readOnly = true; // What is in it can still be copied.
    else field.disabled = true;
  }
  card.classList.add("ended");
  const said = [...end.children].map((line) => line.textContent).join(" – ");
  const shown = document.adoptNode(end);
  shown.tabIndex = -1;
  const link = element("a", "", "Show it all");
  link.href = location.href;
  shown.append(link);
  card.prepend(shown);
  if (card.contains(focused) && focused.disabled) shown.focus({ preventScroll: true });
  return [said];
}

// What there is to read out.
function showCards(fresh, sentKey) {
  if (!fresh.getElementById("open")) return endOne(fresh);
  const open = part("open");
  const focused = document.activeElement;
  const focusedKey = focused.closest?.("#open > [data-key]")?.dataset.key;
  const old = new Map([...open.children].map((node) => [keyOf(node), node]));
  const ended = new Map([...fresh.querySelectorAll("#ended li")].map((node) => [keyOf(node), node]));
  for (const node of old.values()) {
    const field = fieldOf(node);
    if (field?.value.trim() && !isPrivate(field)) words.set(keyOf(node), field.value);
  }

  const news = [];
  const wanted = [];
  for (const card of [...fresh.getElementById("open").children]) {
    const key = keyOf(card);
    const before = old.get(key);
    const source = card.outerHTML;
    if (!before && card.dataset.say) news.push(card.dataset.say);
    const isOnItsWay = sending.has(key) && key !== sentKey;
    const isOpen = card.querySelector("form.answer");
    const stays = before && key !== sentKey && (isOnItsWay || before.source === source || (isBusy(before) && isOpen));
    if (stays) {
      const [due, later] = [before.querySelector(".due"), card.querySelector(".due")];
      if (due && later && !due.isEqualNode(later)) due.replaceWith(document.adoptNode(later));
      wanted.push(before);
      continue;
    }
    card.source = source;
    const typed = words.get(key);
    if (typed && fieldOf(card) && !fieldOf(card).value) fieldOf(card).value = typed;
    if (typed && card.classList.contains("saving")) keep(card, typed);
    wanted.push(document.adoptNode(card));
  }
  const listed = new Set(wanted.map(keyOf));
  [...old.values()].forEach((node, index) => {
    const key = keyOf(node);
    if (listed.has(key) || !node.dataset.say && !node.classList.contains("over")) return;
    if (node.classList.contains("over") || (sending.has(key) && key !== sentKey)) { wanted.splice(index, 0, node); return; }
    const end = ended.get(key);
    if (!end) {
      // Pushed off the page by others, and not over: whoever is at it goes on.
      if (isBusy(node)) wanted.splice(index, 0, node);
      return;
    }
    news.push(end.dataset.say);
    const isInNotice = key === sentKey && fresh.querySelector("#notice .kept");
    if (words.has(key) && !isInNotice) wanted.splice(index, 0, overCard(key, end));
    else words.delete(key);
  });

  place(open, old, wanted);
  for (const id of ["more", "ended"]) if (part(id)) takeOver(fresh, id);
  if (part("headline")) part("headline").textContent = fresh.getElementById("headline").textContent;
  if (sentKey) note(fresh);
  if (focusedKey && !document.contains(focused)) {
    const next = wanted.find((node) => keyOf(node) === focusedKey) || wanted[Math.min([...old.keys()].indexOf(focusedKey), wanted.length - 1)];
    const target = next?.querySelector("[aria-invalid]") || next?.querySelector(".question") || part("headline") || part("main");
    target.focus({ preventScroll: !target.matches("[aria-invalid]") });
  }
  return news;
}

async function send(form, button) {
  const card = form.closest("[data-key]");
  const key = keyOf(card);
  const isAnswer = form.classList.contains("answer");
  const field = fieldOf(card);
  const secret = field && isPrivate(field) ? field.value : null;
  const buttons = [...card.querySelectorAll("button, input")].filter((other) => !other.disabled);
  const body = new URLSearchParams(new FormData(form, button));
  for (const other of buttons) other.disabled = true;
  if (field) field.readOnly = true;
  card.setAttribute("aria-busy", "true");
  sending.add(key);
  const again = () => {
    for (const other of buttons) other.disabled = false;
    if (field) field.readOnly = false;
    card.removeAttribute("aria-busy");
    sending.delete(key);
  };
  try {
    const reply = await fetch(form.action, { method: "POST", body });
    const html = await reply.text();
    if (new URL(reply.url).pathname === "/login") { again(); return loggedOut(); }
    if (reply.ok && isAnswer) { words.delete(key); if (field) field.value = ""; }
    if (!show(html, key)) throw new Error(String(reply.status));
    again();
    // The server never sends private words back.
    const fresh = part("q-" + key)?.querySelector("textarea.private");
    if (fresh && !reply.ok) fresh.value = secret;
  } catch {
    again();
    // It may have arrived: the reply alone is missing, and sending it once more does no harm.
    line("It is not known whether it arrived. Nothing you typed is lost; press again.");
  }
}

part("main").addEventListener("submit", (event) => {
  if (!part("main").classList.contains("inbox")) return;
  event.preventDefault();
  send(event.target, event.submitter);
});
