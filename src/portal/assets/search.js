import MiniSearch from './minisearch.js';

const MAX_RESULTS = 12;

const options = {
  fields: ['title', 'where', 'terms', 'text'],
  storeFields: ['title', 'where', 'path'],
  searchOptions: {
    boost: { terms: 6, title: 4, where: 2 },
    prefix: true,
    fuzzy: (term) => (term.length > 5 ? 0.15 : false),
    combineWith: 'AND',
  },
};

const createOption = ({ title, where, path }, root, index) => {
  const link = document.createElement('a');
  link.href = `${root}${path}`;
  link.id = `found-${index}`;
  link.tabIndex = -1;
  link.setAttribute('role', 'option');
  const name = document.createElement('strong');
  name.textContent = title;
  const place = document.createElement('span');
  place.textContent = where;
  link.append(name, place);
  return link;
};

/** Connects the search field of a page: shows results while typing; arrow keys and Enter open one. */
export const openSearch = async (box) => {
  const field = box.querySelector('input');
  const list = box.querySelector('.found');
  const { root } = box.dataset;
  const response = await fetch(new URL('search-index.json', import.meta.url));
  const index = MiniSearch.loadJSON(await response.text(), options);
  let chosen = -1;

  const choose = (next) => {
    const links = [...list.querySelectorAll('a')];
    chosen = links.length === 0 ? -1 : (next + links.length) % links.length;
    for (const [at, link] of links.entries()) link.setAttribute('aria-selected', String(at === chosen));
    links[chosen]?.scrollIntoView({ block: 'nearest' });
    if (chosen < 0) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', links[chosen].id);
  };

  const show = (isShown) => {
    list.hidden = !isShown;
    field.setAttribute('aria-expanded', String(isShown));
  };

  const search = () => {
    const query = field.value.trim();
    const results = query === '' ? [] : index.search(query).slice(0, MAX_RESULTS);
    list.replaceChildren(...results.map((one, at) => createOption(one, root, at)));
    if (query !== '' && results.length === 0) {
      const none = document.createElement('p');
      none.textContent = `Nothing found for “${query}”.`;
      list.append(none);
    }
    choose(results.length === 0 ? -1 : 0);
    show(query !== '');
  };

  field.addEventListener('input', search);
  field.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1);
    else if (event.key === 'ArrowUp') choose(chosen - 1);
    else if (event.key === 'Enter') list.querySelectorAll('a')[chosen]?.click();
    else if (event.key === 'Escape') show(false);
    else return;
    event.preventDefault();
  });
  document.addEventListener('click', (event) => {
    if (!box.contains(event.target) || event.target.closest('a')) show(false);
  });
  search();
};
