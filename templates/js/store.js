// Where answers are stored in the browser: IndexedDB with strict durability (it survived kills that lost
// localStorage), and localStorage as a mirror for browsers that give a file no database.
function openStore(key) {
  const database = new Promise((resolve) => {
    try {
      const request = indexedDB.open("quizgen", 1);
      request.onupgradeneeded = () => request.result.createObjectStore("answers");
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(null);
      request.onblocked = () => resolve(null);
    } catch (error) {
      resolve(null);
    }
  });

  // Data that cannot be read is reported, not passed over.
  function read(text) {
    try {
      return text ? JSON.parse(text) : null;
    } catch (error) {
      return { damaged: true };
    }
  }
  function mirrored() {
    try {
      return read(localStorage.getItem(key));
    } catch (error) {
      return null;
    }
  }

  async function kept() {
    const db = await database;
    if (!db) return null;
    return new Promise((resolve) => {
      try {
        const request = db.transaction("answers").objectStore("answers").get(key);
        request.onsuccess = () => resolve(read(request.result));
        request.onerror = () => resolve(null);
      } catch (error) {
        resolve(null);
      }
    });
  }

  async function load() {
    const [one, two] = [await kept(), mirrored()];
    if (!one || !two) return one || two;
    if (one.damaged || two.damaged) return one.damaged ? two : one;
    return one.revision >= two.revision ? one : two;
  }

  function keep(db, text, merged) {
    return new Promise((resolve) => {
      try {
        const change = db.transaction("answers", "readwrite", { durability: "strict" });
        const answers = change.objectStore("answers");
        const before = answers.get(key);
        before.onsuccess = () => answers.put(merged ? merged(read(before.result), text) : text, key);
        change.oncomplete = () => resolve(true);
        change.onerror = change.onabort = () => resolve(false);
      } catch (error) {
        resolve(false);
      }
    });
  }

  // One write at a time; changes made meanwhile go into the next one. `merged` combines the stored text with the text to
  // store, so that nothing of another window is overwritten.
  let waiting = null;
  let writing = false;
  async function save(state, done, merged) {
    waiting = [merged ? merged(mirrored(), JSON.stringify(state)) : JSON.stringify(state), done];
    let mirror = false;
    try {
      localStorage.setItem(key, waiting[0]);
      mirror = true;
    } catch (error) {
      mirror = false;
    }
    if (writing) return;
    writing = true;
    const db = await database;
    while (waiting) {
      const [text, then] = waiting;
      waiting = null;
      const safe = db ? await keep(db, text, merged) : false;
      then(safe || mirror);
    }
    writing = false;
  }

  return { load, mirrored, save, pending: () => writing };
}
