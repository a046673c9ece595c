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

// Redoc renders code that scrolls but cannot have the focus, and a button whose name lacks its visible text.
if (document.body.classList.contains('reference')) {
  const repair = () => {
    for (const block of document.querySelectorAll('pre:not([tabindex])')) block.tabIndex = 0;
    for (const button of document.querySelectorAll('button[aria-label="Example"]'))
      button.removeAttribute('aria-label');
  };
  new MutationObserver(repair).observe(document.body, { childList: true, subtree: true });
  repair();
}

// The reference has its own copy buttons.
for (const block of document.querySelectorAll('.columns pre')) {
  const frame = document.createElement('div');
  frame.className = 'code';
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  const copy = async () => {
    await navigator.clipboard.writeText(block.textContent.trimEnd());
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  };
  button.addEventListener('click', () => void copy());
  block.replaceWith(frame);
  frame.append(block, button);
}

const box = document.querySelector('.search');
const field = box?.querySelector('input');

if (box && field) {
  box.hidden = false;
  let opened;
  // The index is loaded on the first focus of the search field.
  const open = () => (opened ??= import('./search.js').then(({ openSearch }) => openSearch(box)));
  field.addEventListener('focus', open, { once: true });
  // An unknown address is searched for by its last word as soon as the field has the focus.
  if ('missing' in document.body.dataset) {
    const [, path = ''] = location.pathname.split('/docs/');
    field.value =
      decodeURIComponent(path)
        .split(/[^\p{L}\p{N}]+/u)
        .filter(Boolean)
        .at(-1) ?? '';
  }
  // Redoc opens its own search with these keys.
  const focusSearch = (event) => {
    if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    field.focus();
  };
  window.addEventListener('keydown', focusSearch, { capture: true });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
}
