// Keys: / searches, j and k go from item to item, t goes to today, ? tells these.
"use strict";

const ITEMS = "main tbody tr, main .said, main .facts > li, main .days > li, main .found > li";

function isTyping(target) {
  return target.closest("input, select, textarea, [contenteditable]") !== null;
}

function step(by) {
  const items = [...document.querySelectorAll(ITEMS)].filter((one) => one.checkVisibility());
  if (!items.length) return;
  const at = items.indexOf(document.activeElement.closest(ITEMS));
  const next = items[Math.max(0, Math.min(items.length - 1, at < 0 ? (by > 0 ? 0 : items.length - 1) : at + by))];
  next.tabIndex = -1;
  next.focus();
}

const KEYS = {
  "/": () => document.querySelector("[role=search] input")?.focus(),
  j: () => step(1),
  k: () => step(-1),
  t: () => document.querySelector("a[data-key=t]")?.click(),
  "?": () => document.getElementById("keys").showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
