// Keys: / searches, j and k go from item to item, Enter opens one, t goes to today, ? tells these. And whether
// a page is seen.
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

// The item that j and k chose: a link or a button within it that has the focus opens by itself.
function openItem() {
  const item = document.activeElement;
  if (!item.matches(ITEMS)) return false;
  const inside = [...item.querySelectorAll("a[data-main]"), ...item.querySelectorAll("a[href], summary")];
  inside.find((one) => one.checkVisibility())?.click();
  return true;
}

function search() {
  const field = document.querySelector("[role=search] input");
  if (field) field.focus();
  else location.assign(document.querySelector(".tabs a[href$='/search']")?.href.concat("#q") ?? "/console/people#find");
}

const KEYS = {
  "/": search,
  j: () => step(1),
  k: () => step(-1),
  Enter: openItem,
  t: () => document.querySelector("a[data-key=t]")?.click(),
  "?": () => document.getElementById("keys").showModal(),
};

// Only a page that is looked at holds a line open: a browser has six to one server.
function tellWhenVisible() {
  if (!document.hidden) document.body.dispatchEvent(new Event("visible"));
}
document.addEventListener("DOMContentLoaded", () => setTimeout(tellWhenVisible));
document.addEventListener("visibilitychange", tellWhenVisible);

// A link of old names a message alone, which may be in another part of its conversation.
function findMessage() {
  const message = /^#m(\d+)$/.exec(location.hash);
  const isElsewhere = message && !location.search && !document.getElementById(location.hash.slice(1));
  if (isElsewhere && location.pathname.startsWith("/console/conversations/")) {
    location.replace(`?at=${message[1]}${location.hash}`);
  }
}
findMessage();

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const act = KEYS[event.key];
  if (act && act() !== false) event.preventDefault();
});
