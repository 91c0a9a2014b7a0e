// Shared by the pages on which a person works through a stack: data, saving, elements, files.
const find = (id) => document.getElementById(id);
const data = JSON.parse(find("data").textContent);

// An element of text and children; text of a candidate is never parsed as markup.
function make(tag, attributes, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "onclick") made.addEventListener("click", value);
    else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...inside.filter((child) => child !== null && child !== undefined));
  return made;
}

const picture = (base64, alt) => make("img", { src: "data:image/jpeg;base64," + base64, alt });

// The work that this page saves, and `change`, through which all changes go. `shared` names the part of the state that
// windows of one page have in common: each takes over what another one has saved before it changes anything, and draws
// it (`redraw`).
async function openWork(key, fresh, shared, redraw) {
  const store = openStore(key);
  const old = await store.load();
  const isWork = (one) => Boolean(one && Number.isFinite(one.revision) && one[shared]);
  if (old && !isWork(old)) find("saved").textContent = "What was saved here cannot be read: it begins anew.";
  const state = isWork(old) ? { ...fresh, ...old } : fresh;
  function follow() {
    const other = store.mirrored();
    if (!isWork(other) || other.revision <= state.revision) return false;
    [state[shared], state.revision] = [other[shared], other.revision];
    return true;
  }
  function change(apply) {
    follow();
    apply();
    state.revision += 1;
    store.save(state, (safe) => {
      find("saved").textContent = safe ? "Saved " + new Date().toTimeString().slice(0, 8) : "Not saved: this browser keeps nothing. Save a file often.";
    });
  }
  for (const event of ["storage", "focus"]) addEventListener(event, () => follow() && redraw());
  return { state, change, follow };
}

function download(object, name) {
  const link = make("a", { download: name });
  link.href = URL.createObjectURL(new Blob([JSON.stringify(object, null, 1) + "\n"], { type: "application/json" }));
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
