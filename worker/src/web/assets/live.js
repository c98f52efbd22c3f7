// Keeps a page live. When /v1/events says that something happened, the page is fetched again and what changed is taken over
// piece by piece: order, decoding and texts exist once, on the server. Everything works without scripts too, and nothing is
// kept in the browser. What the files of this script rely on:
//   #frame                data-seen: the id of the event up to which the page shows everything; data-open: how many are open
//   .ways a               the bar: what is in each link is taken over
//   main[data-live]       the address to fetch, when it is not that of the window
//   #open > [data-key]    the inbox: one card each, see cards.js
//   #rows > [data-key]    other lists: one row each; data-say is read out when it is new
//   #headline, #more, #ended, #notice, #standing, #unanswered     taken over as they are
//   .left, [data-ages]    something that changes with the time alone
//   #news, #line          what is read out; what is wrong with the connection
"use strict";

const part = (id) => document.getElementById(id);
const frame = part("frame");
const numberOf = (id) => parseInt(id, 10) || 0;
const keyOf = (node) => node.dataset.key;
const hasFocus = (node) => node.contains(document.activeElement);

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  made.dir = "auto";
  made.textContent = text;
  return made;
}

// What may change what stands on a page. How an answer is shown elsewhere does not.
const KINDS = ["asked", "answering", "ended", "delivery", "changed"].map((kind) => "question." + kind)
  .concat(["published", "read", "dismissed"].map((kind) => "update." + kind))
  .concat(["made", "replied"].map((kind) => "request." + kind));

let source; // The stream. The browser connects again by itself, with the id of the last event.
let newest = 0; // The number of the newest event that was heard.
let isStale = false; // The page is to be fetched whatever was heard.
let isFetching = false;
let isLoggedOut = false;
let comesBack = 500; // How long to wait after a stream that was refused, in milliseconds.

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

const lost = () => line("The connection is lost. Trying again …");
const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

function loggedOut() {
  isLoggedOut = true;
  source?.close();
  const link = element("a", "", "Log in again");
  link.href = "/login";
  line("You are logged out. ", link);
}

// A browser has six connections to one host for all its tabs, so a tab that nobody sees holds one only for notifications.
const isWatched = () => document.visibilityState === "visible" || ("Notification" in window && Notification.permission === "granted");

function listen() {
  source?.close();
  if (isLoggedOut || !isWatched()) return;
  const own = source = new EventSource("/v1/events?" + new URLSearchParams({ last_event_id: frame.dataset.seen }));
  const hear = (event) => { newest = Math.max(newest, numberOf(event.lastEventId)); refresh(); };
  for (const kind of KINDS) own.addEventListener(kind, hear);
  own.addEventListener("stream.reset", () => { [isStale, newest] = [true, 0]; refresh(); });
  own.onopen = () => { comesBack = 500; line(); };
  own.onerror = () => {
    if (own !== source || isLoggedOut) return;
    lost();
    if (own.readyState !== EventSource.CLOSED) return;
    // Refused, so the browser gives up: it may be the session, which the page itself tells.
    [isStale, newest] = [true, 0];
    setTimeout(refresh, comesBack);
    comesBack = Math.min(comesBack * 2, 30000);
  };
}

function address() {
  const url = new URL(part("main").dataset.live ?? location.href, location.href);
  url.hash = "";
  url.searchParams.delete("done");
  if (part("open")) url.searchParams.set("shown", [...part("open").children].filter((node) => node.id).map(keyOf).join(","));
  return url;
}

// Fetches the page, once at a time, until it shows all that was heard of.
async function refresh() {
  if (isFetching) return;
  isFetching = true;
  for (let wait = 500; isStale || numberOf(frame.dataset.seen) < newest;) {
    try {
      const reply = await fetch(address(), { cache: "no-store", signal: AbortSignal.timeout(20000) });
      if (new URL(reply.url).pathname === "/login") return loggedOut();
      if (!reply.ok) throw new Error(String(reply.status));
      const html = await reply.text();
      if (isStale) frame.dataset.seen = "";
      isStale = false;
      show(html, null);
      if (!source || source.readyState === EventSource.CLOSED) listen();
      if (source?.readyState === EventSource.OPEN) line();
      wait = 500;
      await pause(100);
    } catch {
      lost();
      await pause(wait);
      wait = Math.min(wait * 2, 30000);
    }
  }
  isFetching = false;
}

// Takes over what the server shows. `sentKey`: it is the reply to a form of this card.
function show(html, sentKey) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  const seen = fresh.getElementById("frame")?.dataset;
  if (!seen) return false;
  if (numberOf(seen.seen) < numberOf(frame.dataset.seen)) {
    if (sentKey) note(fresh);
    return true;
  }
  const more = numberOf(seen.open) - numberOf(frame.dataset.open);
  Object.assign(frame.dataset, { seen: seen.seen, open: seen.open });
  document.title = fresh.title;
  document.querySelector("link[rel=icon]").href = fresh.querySelector("link[rel=icon]").getAttribute("href");
  const ways = fresh.querySelectorAll(".ways a");
  // The links stay the nodes that they are, or the focus would be lost.
  document.querySelectorAll(".ways a").forEach((way, place) => way.replaceChildren(...ways[place].childNodes));
  const news = part("open") ? showCards(fresh, sentKey) : showRows(fresh);
  if (!part("open") && more > 0) news.push("A new question waits in the inbox.");
  if (news.length) tell(news);
  if (more > 0) notify(news);
  return true;
}

// A row in which somebody is stays the node it is.
function showRows(fresh) {
  const news = [];
  const [rows, others] = [part("rows"), fresh.getElementById("rows")];
  if (!rows || !others) return news;
  const focused = rows.contains(document.activeElement) ? document.activeElement : null;
  const old = new Map([...rows.children].map((node) => [keyOf(node), node]));
  const at = [...rows.children].findIndex((node) => node.contains(focused));
  const wanted = [...others.children].map((row) => {
    const before = old.get(keyOf(row));
    if (!before && row.dataset.say) news.push(row.dataset.say);
    return before && (hasFocus(before) || before.isEqualNode(row)) ? before : document.adoptNode(row);
  });
  place(rows, old, wanted);
  if (focused && !document.contains(focused)) {
    // What somebody stood in is gone: on with what took its place.
    const title = wanted[Math.min(at, wanted.length - 1)]?.querySelector("h2");
    if (title) title.tabIndex = -1;
    (title ?? part("main")).focus({ preventScroll: true });
  }
  for (const id of ["more", "standing", "unanswered"]) if (part(id)) takeOver(fresh, id);
  return news;
}

// Puts these children in this order, moving only what is not in its place.
function place(parent, old, wanted) {
  for (const node of old.values()) if (!wanted.includes(node)) node.remove();
  let at = parent.firstElementChild;
  for (const node of wanted) {
    if (node === at) at = at.nextElementSibling;
    else parent.insertBefore(node, at);
  }
}

function takeOver(fresh, id) {
  const other = fresh.getElementById(id);
  if (other && !hasFocus(part(id)) && !part(id).isEqualNode(other)) part(id).replaceWith(document.adoptNode(other));
}

// A connection that died while the machine slept is not noticed by itself.
const wake = () => { if (document.visibilityState === "visible") listen(); };
document.addEventListener("visibilitychange", () => { if (!isWatched()) source?.close(); else wake(); });
window.addEventListener("online", wake);
// The time that is left goes by without an event, and a tab without a stream hears of none.
setInterval(() => { if (document.querySelector(".left, [data-ages]") || !isWatched()) { isStale = true; refresh(); } }, 60000);
