// The lists of items: the navigator beside them and the review before the end.
function makeButton(text, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.addEventListener("click", act);
  return button;
}

function inLine(...parts) {
  const line = document.createElement("li");
  line.append(...parts);
  return line;
}

// Scrolls only the list, and only if the line is out of view.
function bringIntoView(list, line) {
  const above = line.offsetTop < list.scrollTop;
  const below = line.offsetTop + line.offsetHeight > list.scrollTop + list.clientHeight;
  if (above || below) list.scrollTop = line.offsetTop - list.clientHeight / 2;
}

// One button per item. Its state is shown in text and marks, never in colour alone.
function drawNavigator(list, items, responses, current, go) {
  if (!list.children.length) list.append(...items.map((_, index) => inLine(makeButton("", () => go(index)))));
  items.forEach((item, index) => {
    const answer = responses[item.dataset.ref];
    const flagged = Boolean(answer && answer.flagged);
    const button = list.children[index].firstChild;
    const words = [isGiven(answer) ? say("answered") : say("not answered"), flagged ? say("flagged") : ""].filter(Boolean);
    button.textContent = item.dataset.number + (isGiven(answer) ? " ✓" : "") + (flagged ? " ⚑" : "");
    button.setAttribute("aria-label", say("Item {0}, {1}", item.dataset.number, words.join(", ")));
    button.classList.toggle("answered", isGiven(answer));
    if (index === current) {
      button.setAttribute("aria-current", "true");
      bringIntoView(list, list.children[index]);
    } else button.removeAttribute("aria-current");
  });
}

// The items that are open or flagged, and their numbers in words.
function drawReview(list, summary, items, responses, go) {
  const open = items.filter((item) => !isGiven(responses[item.dataset.ref]));
  const flagged = items.filter((item) => (responses[item.dataset.ref] || {}).flagged);
  const done = items.length - open.length;
  summary.textContent = say("{0} of {1} items answered, {2} flagged.", done, items.length, flagged.length);
  const shown = items.filter((item) => open.includes(item) || flagged.includes(item));
  list.replaceChildren(...shown.map((item) => {
    const words = [open.includes(item) ? say("not answered") : "", flagged.includes(item) ? say("flagged") : ""].filter(Boolean);
    return inLine(makeButton(say("Item {0}: {1}", item.dataset.number, words.join(", ")), () => go(items.indexOf(item))));
  }));
}

// Characters of the page that no font of this device can show: they look like a character that does not exist.
// Firefox draws their numbers into a box instead; that is not detected.
function missingGlyphs(text) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 40;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) return [];
  pen.font = "24px " + getComputedStyle(document.body).fontFamily;
  const drawn = (char) => {
    pen.clearRect(0, 0, 40, 40);
    pen.fillText(char, 4, 30);
    return pen.getImageData(0, 0, 40, 40).data.join();
  };
  const none = drawn("\u{10fffe}");
  const known = /[\p{L}\p{N}\p{S}\p{P}]/u;
  return [...new Set(text)].filter((char) => char > "\u007f" && known.test(char) && drawn(char) === none);
}
