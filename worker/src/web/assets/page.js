// Keeps the inbox live and sends its forms without leaving it. Everything works without this file too; it keeps nothing
// in the browser, and every text comes from the server.
"use strict";

const inbox = document.getElementById("main");
const part = (id) => document.getElementById(id);
const words = new Map(); // What is being typed, by question, while this page is open.
const sending = new Set(); // Questions whose form is on its way: the reply decides what their card becomes.
let hold = new AbortController();

const keyOf = (node) => node.dataset.key;
const fieldOf = (node) => node.querySelector("textarea");
const isTyping = (node) => Boolean(fieldOf(node) && (fieldOf(node).value.trim() || node.contains(document.activeElement)));
for (const node of part("open").children) node.source = node.outerHTML;

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  made.dir = "auto";
  made.textContent = text;
  return made;
}

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

// Takes over what the server shows, card by card; a card in which somebody types stays the node it is.
function show(html, sentKey) {
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("main");
  if (!fresh) return false;
  const [run, count] = fresh.dataset.seen.split(".");
  const [oldRun, oldCount] = inbox.dataset.seen.split(".");
  if (run === oldRun && Number(count) < Number(oldCount)) {
    if (sentKey) note(fresh);
    return true;
  }
  const open = part("open");
  const focused = document.activeElement;
  const focusedKey = focused.closest?.("#open > [data-key]")?.dataset.key;
  const old = new Map([...open.children].map((node) => [keyOf(node), node]));
  const ended = new Map([...fresh.querySelectorAll("#ended li")].map((node) => [keyOf(node), node]));
  for (const node of old.values()) if (fieldOf(node)?.value.trim()) words.set(keyOf(node), fieldOf(node).value);

  const news = [];
  const wanted = [];
  for (const card of [...fresh.querySelector("#open").children]) {
    const key = keyOf(card);
    const before = old.get(key);
    const source = card.outerHTML;
    if (!before && card.dataset.say) news.push(card.dataset.say);
    const isOnItsWay = sending.has(key) && key !== sentKey;
    const stays = before && key !== sentKey && (isOnItsWay || before.source === source || (isTyping(before) && fieldOf(card)));
    if (stays) { wanted.push(before); continue; }
    card.source = source;
    const typed = words.get(key);
    if (typed && fieldOf(card) && !fieldOf(card).value) fieldOf(card).value = typed;
    if (typed && card.classList.contains("saving")) keep(card, typed);
    wanted.push(document.adoptNode(card));
  }
  const listed = new Set(wanted.map(keyOf));
  [...old.values()].forEach((node, place) => {
    const key = keyOf(node);
    if (listed.has(key) || key === "empty") return;
    if (node.classList.contains("over") || (sending.has(key) && key !== sentKey)) { wanted.splice(place, 0, node); return; }
    const end = ended.get(key);
    if (!end) return;
    news.push(end.dataset.say);
    const isInNotice = key === sentKey && fresh.querySelector("#notice .kept");
    if (words.has(key) && !isInNotice) wanted.splice(place, 0, overCard(key, end));
  });

  for (const node of old.values()) if (!wanted.includes(node)) node.remove();
  let at = open.firstElementChild;
  for (const node of wanted) {
    if (node === at) at = at.nextElementSibling;
    else open.insertBefore(node, at);
  }
  for (const id of ["more", "ended"]) part(id).replaceWith(document.adoptNode(fresh.querySelector("#" + id)));
  part("headline").textContent = fresh.querySelector("#headline").textContent;
  if (sentKey) note(fresh);
  inbox.dataset.seen = fresh.dataset.seen;
  document.title = fresh.dataset.title;
  document.querySelector("link[rel=icon]").href = fresh.dataset.icon;
  if (news.length) tell(news);
  if (focusedKey && !document.contains(focused)) {
    const next = wanted.find((node) => keyOf(node) === focusedKey) || wanted[Math.min([...old.keys()].indexOf(focusedKey), wanted.length - 1)];
    const target = next?.querySelector("[aria-invalid]") || next?.querySelector(".question") || part("headline");
    target.focus({ preventScroll: !target.matches("[aria-invalid]") });
  }
  return true;
}

// Read out at once by a screen reader, and shown for a while.
function tell(news) {
  part("news").textContent = news.length > 1 ? `${news[0]} (and ${news.length - 1} more)` : news[0];
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => { part("news").textContent = ""; }, 12000);
}

function line(...pieces) {
  part("line").replaceChildren(...pieces);
  part("line").hidden = pieces.length === 0;
}

function loggedOut() {
  const link = element("a", "", "Log in again");
  link.href = "/login";
  line("You are logged out. ", link);
}

function pause(milliseconds) {
  return new Promise((resolve) => { setTimeout(resolve, milliseconds); hold.signal.addEventListener("abort", resolve); });
}

// Holds one request at a time; the server answers when something changed.
async function live() {
  for (let wait = 500; ;) {
    hold = new AbortController();
    try {
      const shown = [...part("open").children].filter((node) => node.id).map(keyOf).join(",");
      const asked = new URLSearchParams({ seen: inbox.dataset.seen, shown });
      if (inbox.dataset.after) asked.set("after", inbox.dataset.after);
      const signal = AbortSignal.any([hold.signal, AbortSignal.timeout(40000)]);
      const reply = await fetch("/inbox/live?" + asked, { cache: "no-store", signal });
      if (reply.status === 401) return loggedOut();
      if (!reply.ok) throw new Error(String(reply.status));
      if (reply.status === 200) show(await reply.text(), null);
      line();
      wait = 500;
      await pause(100);
    } catch {
      if (hold.signal.aborted) continue;
      line("The connection is lost. Trying again …");
      await pause(wait);
      wait = Math.min(wait * 2, 30000);
    }
  }
}

async function send(form, button) {
  const key = form.closest("[data-key]").dataset.key;
  const isAnswer = form.classList.contains("answer");
  const card = form.closest("[data-key]");
  const buttons = [...card.querySelectorAll("button")].filter((other) => !other.disabled);
  const body = new URLSearchParams(new FormData(form, button));
  for (const other of buttons) other.disabled = true;
  if (fieldOf(card)) fieldOf(card).readOnly = true;
  card.setAttribute("aria-busy", "true");
  sending.add(key);
  const again = () => {
    for (const other of buttons) other.disabled = false;
    if (fieldOf(card)) fieldOf(card).readOnly = false;
    card.removeAttribute("aria-busy");
    sending.delete(key);
  };
  try {
    const reply = await fetch(form.action, { method: "POST", body });
    const html = await reply.text();
    if (new URL(reply.url).pathname === "/login") { again(); return loggedOut(); }
    if (reply.ok && isAnswer) { words.delete(key); if (fieldOf(card)) fieldOf(card).value = ""; }
    if (!show(html, key)) throw new Error(String(reply.status));
    again();
  } catch {
    again();
    line("It was not sent: no connection. Nothing you typed is lost; press again.");
  }
}

inbox.addEventListener("submit", (event) => {
  event.preventDefault();
  send(event.target, event.submitter);
});
const wake = () => { if (document.visibilityState === "visible") hold.abort(); };
document.addEventListener("visibilitychange", wake);
window.addEventListener("online", wake);
live();
