import { expect, test } from 'vitest';
import { renderFlightPage } from '#products/flight-info/v2/map/render-flight-page.ts';
import { buildFlightMap } from '#products/flight-info/v2/map/flight-map.ts';
import { placeLabels, shorten } from '#products/flight-info/v2/map/place-labels.ts';
import { pageStyle } from '#products/flight-info/v2/map/page-style.ts';
import { at, atlantic, atMs, DEN, diverted, JFK, landingAt, LHR, noLanding, pacific, SIN } from './sample-flights.ts';

const now = atMs('2027-03-01T13:30Z');
const draw = (source: Parameters<typeof buildFlightMap>[0], when = now): string =>
  renderFlightPage(buildFlightMap(source, when));
const refresh = '<meta http-equiv="refresh" content="60">';
const caveat = 'The position is estimated from the times of the flight, not observed.';

test('the page of a flight describes the map in words, once for each of its two sizes', () => {
  const alt =
    'aria-label="Map of flight ZX 101 from London (LHR) to New York (JFK), its position estimated at latitude 53.4, longitude -30.9, 37 % of the way."';
  expect(draw(atlantic).split(alt)).toHaveLength(3);
});

test('the page of a flight refreshes while the flight is in the air, and marks the position as estimated', () => {
  const page = draw(atlantic);
  expect([page.includes(refresh), page.includes(caveat)]).toEqual([true, true]);
  const landed = draw({ ...atlantic, state: 'Landed' });
  expect([refresh, caveat, 'class="aircraft"'].filter((text) => landed.includes(text))).toEqual([]);
  expect(landed).toContain('<span class="badge">Landed</span>');
});

test('the page of a flight has no script, no external style and no external address', () => {
  const page = draw(diverted);
  expect(page.match(/<script|<link|<img|<iframe|\b(?:src|href|style|on\w+)=|url\(|@import|https?:/gi)).toBeNull();
  expect(page.match(/<style>/g)).toHaveLength(1);
});

test('the page of a flight escapes every text', () => {
  const evil = `"><script>alert('1')</script>&amp;`;
  const station = { ...LHR, code: evil, name: evil, city: evil };
  const arrival = { ...JFK, city: undefined, name: evil };
  const page = draw({ ...atlantic, designator: evil, departure: station, arrival });
  expect(page).not.toContain('<script');
  expect(page).not.toContain(`alert('`);
  expect(page).toContain('<h1>&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;</h1>');
});

test.each([
  ['2027-03-02T18:22Z', '<sup title="1 day later">+1</sup>'],
  ['2027-03-03T18:22Z', '<sup title="2 days later">+2</sup>'],
  ['2027-03-01T04:00Z', '<sup title="1 day earlier">−1</sup>'],
])('the page of a flight marks an arrival at %s, on another day than the departure', (estimatedIn, mark) => {
  expect(draw({ ...atlantic, destination: { ...noLanding, estimatedIn: at(estimatedIn) } })).toContain(mark);
});

const returned = landingAt(JFK, { type: 'InAirReturn', actualOn: at('2027-03-01T18:00Z') });
test.each([
  [landingAt(DEN), 'inAir', 'Diverted to Denver (DEN)'],
  [landingAt(undefined), 'inAir', 'Diverted. The airport is unknown.'],
  [landingAt(JFK, { type: 'InAirReturn' }), 'inAir', 'Returning to New York (JFK)'],
  [returned, 'Landed', 'Returned to New York (JFK) · landed'],
  [landingAt(DEN, { type: 'TechnicalStop' }), 'inAir', 'Stopping at Denver (DEN) on the way'],
] as const)('the page of a flight describes the diversion in case %#', (landing, state, text) => {
  expect(draw({ ...diverted, state, landings: [landing] })).toContain(text);
});

test('the page of a flight marks a diversion airport by its shape, and a departure airport after a return once', () => {
  const ofOneSize = ['end', 'end', 'diversion'].map((shape) => `class="place ${shape}"`);
  expect(draw(diverted).match(/class="place \w+"/g)).toEqual([...ofOneSize, ...ofOneSize]);
  expect(draw({ ...diverted, landings: [landingAt(JFK)] }).match(/class="place \w+"/g)).toHaveLength(4);
});

test('the page of a flight contains only finite numbers, whatever the geometry', () => {
  const antipode = { ...LHR, code: 'ANT', latitude: -LHR.latitude, longitude: LHR.longitude + 180 };
  const pole = { ...LHR, code: 'NPL', latitude: 90, longitude: 0 };
  const pairs = { SAME: [LHR, LHR], ANT: [LHR, antipode], NPL: [pole, LHR], LONG: [SIN, JFK] } as const;
  for (const [departure, arrival] of Object.values(pairs)) {
    const page = draw({ ...atlantic, departure, arrival });
    expect(page, arrival.code).not.toMatch(/NaN|Infinity|undefined|null/);
    expect(page).toContain('class="aircraft"');
  }
});

test('the page of a flight keeps a track across 180° in one piece', () => {
  const page = draw(pacific, atMs('2027-03-02T11:00Z'));
  const paths = [...page.matchAll(/class="track (?:ahead|flown)" d="([^"]*)"/g)].map(([, path = '']) => path);
  expect(paths).toHaveLength(4);
  for (const path of paths) expect(path.match(/M/g)).toHaveLength(1);
});

test('the page of a flight stays below 300 kB', () => {
  for (const source of [atlantic, pacific, diverted, { ...pacific, departure: SIN, arrival: JFK }])
    expect(Buffer.byteLength(draw(source))).toBeLessThan(300_000);
});

/** Relative luminance of a colour such as `#0a56a8` or `#fff` (WCAG 2). */
const luminance = (colour: string): number => {
  const digits = colour.length === 4 ? colour.replaceAll(/[\da-f]/g, '$&$&') : colour;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(digits.slice(start, start + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (a: string, b: string): number => {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

test.each([0, 1])('text and lines have enough contrast, in colour scheme %i', (scheme) => {
  const schemes = [...pageStyle.matchAll(/:root\{([^}]*)\}/g)].map(([, text = '']) =>
    Object.fromEntries([...text.matchAll(/--([\w-]+):(#[\da-f]+)/g)].map(([, name, colour]) => [name, colour])),
  );
  const colours = schemes[scheme] ?? {};
  const texts = ['text/page', 'quiet/page', 'warn/page', 'warn/warn-page', 'badge-text/badge', 'text/halo'];
  const lines = ['route/land', 'route/sea', 'route/bar', 'warn/land', 'quiet/land', 'quiet/sea', 'plane/land'];
  const contrastOf = (pair: string): number => {
    const [front = '', back = ''] = pair.split('/').map((name) => colours[name]);
    return contrast(front, back);
  };
  for (const pair of texts) expect(contrastOf(pair), pair).toBeGreaterThanOrEqual(4.5);
  for (const pair of lines) expect(contrastOf(pair), pair).toBeGreaterThanOrEqual(3);
});

const frame = { width: 390, height: 440, bleedX: 0, bleedY: 0, margin: 50 };
const text = { code: 'AAA', name: 'Somewhere' };

test('a label is to the right of its point if that is free', () => {
  expect(placeLabels([{ point: { x: 100, y: 100 }, text }], { frame, obstacles: [] })).toEqual([
    { ...text, anchor: 'start', x: 114, y: 96 },
  ]);
});

test('a label avoids the frame and the track', () => {
  const track = Array.from({ length: 40 }, (_, index) => ({ x: 375 - index * 3, y: 100 }));
  expect(placeLabels([{ point: { x: 375, y: 100 }, text }], { frame, obstacles: track })).toEqual([
    { ...text, anchor: 'end', x: 375 - 0.7 * 14, y: 100 + 0.8 * 26 - 4 },
  ]);
});

test('labels of places close to each other do not overlap', () => {
  const points = [0, 6, 12].map((shift) => ({ point: { x: 200 + shift, y: 200 + shift }, text }));
  const boxes = placeLabels(points, { frame, obstacles: [] }).map(({ anchor, x, y }) => {
    const width = 65;
    return { left: x - { start: 0, middle: 0.5, end: 1 }[anchor] * width, top: y - 12, width };
  });
  for (const [index, a] of boxes.entries())
    for (const b of boxes.slice(index + 1))
      expect(Math.abs(a.left - b.left) >= a.width - 0.5 || Math.abs(a.top - b.top) >= 31.5).toBe(true);
});

test('a long name is truncated', () => {
  expect(shorten('Petropavlovsk-Kamchatsky')).toBe('Petropavlovsk-Kamchatsky');
  expect(shorten('Saint Petersburg Pulkovo International')).toBe('Saint Petersburg Pulkov…');
});
