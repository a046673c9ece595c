// Runs on every page: applies the chosen color mode, fills in the stages of versions, and loads the search on demand.

// The reference has a switch for light and dark and stores the choice; without local storage the system setting applies.
try {
  const chosen = localStorage.getItem('redoc.colorMode');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.classList.add(chosen);
} catch {}

const today = new Date().toISOString().slice(0, 10);

/** Returns the stage of a version on a UTC date; each date is inclusive. */
const stageOn = ({ released, deprecated, sunset }, day) => {
  if (sunset !== undefined && day >= sunset) return 'removed';
  if (released !== undefined && day < released) return 'unreleased';
  if (deprecated !== undefined && day >= deprecated) return 'deprecated';
  return 'current';
};

for (const element of document.querySelectorAll('.stage')) {
  const stage = stageOn(element.dataset, today);
  element.textContent = stage;
  element.classList.add(stage);
}

const box = document.querySelector('.search');
const field = box?.querySelector('input');

if (box && field) {
  box.hidden = false;
  let opened;
  // The index is loaded on the first focus of the search field.
  const open = () => (opened ??= import('./search.js').then(({ openSearch }) => openSearch(box)));
  field.addEventListener('focus', open, { once: true });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
}
