// Rules of accessibility, read off the page as it is shown. Returns what is wrong, one line each.
const faults = [];
// What is seen is what stays.
for (const moving of document.getAnimations()) moving.finish();
const all = (css) => [...document.querySelectorAll(css)];
const told = (node) => node.outerHTML.slice(0, 90);
const isShown = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
const isUnseen = (node) => Boolean(node.closest(".unseen"));

if (!document.documentElement.lang) faults.push("the page has no lang");
if (!document.title.trim()) faults.push("the page has no title");
if (all("main").length !== 1) faults.push("there is not one main landmark");
for (const nav of all("nav")) if (!nav.getAttribute("aria-label")) faults.push("a nav has no name: " + told(nav));

const ids = new Map();
for (const node of all("[id]")) ids.set(node.id, (ids.get(node.id) ?? 0) + 1);
for (const [id, count] of ids) if (count > 1) faults.push(`the id ${id} is there ${count} times`);
for (const name of ["aria-labelledby", "aria-describedby"]) {
  for (const node of all(`[${name}]`)) {
    for (const id of node.getAttribute(name).trim().split(/\s+/)) if (!document.getElementById(id)) faults.push(`${name} leads nowhere: ${told(node)}`);
  }
}

let level = 0;
for (const heading of all("h1, h2, h3, h4, h5, h6").filter(isShown)) {
  const own = Number(heading.tagName[1]);
  if (own > level + 1) faults.push(`the heading skips a level, from ${level}: ${told(heading)}`);
  if (!heading.innerText.trim()) faults.push("a heading is empty: " + told(heading));
  level = own;
}
if (all("h1").filter(isShown).length !== 1) faults.push("there is not one heading of the first level");

for (const image of all("img")) if (!image.hasAttribute("alt")) faults.push("an image has no alt: " + told(image));
for (const image of all("svg")) if (image.getAttribute("aria-hidden") !== "true" && !image.getAttribute("role")) faults.push("a drawing is neither hidden nor named: " + told(image));
for (const field of all("input:not([type=hidden]), textarea, select")) {
  if (![...field.labels].some((label) => label.textContent.trim()) && !field.getAttribute("aria-label")) faults.push("a field has no label: " + told(field));
}
for (const control of all("button, a[href], summary").filter(isShown)) {
  if (!control.textContent.trim() && !control.getAttribute("aria-label")) faults.push("a control has no name: " + told(control));
}
for (const link of all("a[target=_blank]")) if (!link.relList.contains("noopener")) faults.push("a link gives its opener away: " + told(link));

// Size of what is pressed: 24 by 24 at least; links within a line of text are exempt.
for (const control of all("button, a.button, summary, .ways a, input[type=checkbox], textarea").filter(isShown)) {
  const target = control.closest("label") ?? control;
  const { width, height } = target.getBoundingClientRect();
  if (width < 24 || height < 24) faults.push(`too small, ${width} by ${height}: ${told(control)}`);
}

// The focus can be seen: an outline that is not there without it.
const before = document.activeElement;
for (const control of all("button, a[href], summary, textarea, input:not([type=hidden]), [tabindex='0']").filter(isShown)) {
  control.focus({ focusVisible: true, preventScroll: true });
  const style = getComputedStyle(control);
  if (document.activeElement === control && (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2)) faults.push("the focus is not seen: " + told(control));
}
before?.focus?.({ preventScroll: true });
document.activeElement?.blur?.();

// Contrast by computed colours: 4.5, or 3 for large text.
const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
const colour = (text) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = text;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
};
const over = (top, below) => [0, 1, 2].map((part) => top[part] * top[3] + below[part] * (1 - top[3])).concat(1);
const ground = (node) => {
  const layers = [];
  for (let at = node; at; at = at.parentElement) layers.push(colour(getComputedStyle(at).backgroundColor));
  return layers.reduceRight((below, layer) => over(layer, below), [255, 255, 255, 1]);
};
const light = ([red, green, blue]) => {
  const [r, g, b] = [red, green, blue].map((value) => value / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const looked = new Set();
for (let text = walker.nextNode(); text; text = walker.nextNode()) {
  const node = text.parentElement;
  if (!text.data.trim() || looked.has(node) || !isShown(node) || isUnseen(node) || node.closest("script, style, noscript, :disabled")) continue;
  looked.add(node);
  const style = getComputedStyle(node);
  let opacity = 1;
  for (let at = node; at; at = at.parentElement) opacity *= parseFloat(getComputedStyle(at).opacity);
  const below = ground(node);
  const ink = colour(style.color);
  const [one, other] = [light(over([...ink.slice(0, 3), ink[3] * opacity], below)), light(below)].sort((a, b) => b - a);
  const ratio = (one + 0.05) / (other + 0.05);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  if (ratio < (isLarge ? 3 : 4.5)) faults.push(`contrast ${ratio.toFixed(2)}: ${told(node)}`);
}
return faults;
