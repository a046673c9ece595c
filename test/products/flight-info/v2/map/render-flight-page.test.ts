import { describe, expect, test } from 'vitest';
import { renderFlightPage } from '../../../../../src/products/flight-info/v2/map/render-flight-page.ts';
import { buildFlightMap } from '../../../../../src/products/flight-info/v2/map/flight-map.ts';
import { pageStyle } from '../../../../../src/products/flight-info/v2/map/page-style.ts';
import { at, atlantic, atMs, DEN, diverted, JFK, landingAt, LHR, pacific, SIN } from './sample-flights.ts';

const now = atMs('2027-03-01T13:30Z');
const draw = (source: Parameters<typeof buildFlightMap>[0], when = now): string =>
  renderFlightPage(buildFlightMap(source, when));
const refresh = '<meta http-equiv="refresh" content="60">';
const caveat = 'The position is estimated from the times of the flight, not observed.';

describe('the page of a flight', () => {
  test('describes the map in words, once for each of its two sizes', () => {
    const alt =
      'aria-label="Map of flight ZX 101 from London (LHR) to New York (JFK), its position estimated at latitude 53.4, longitude -30.9, 37 % of the way."';
    expect(draw(atlantic).split(alt)).toHaveLength(3);
  });

  test('refreshes while the flight is in the air, and marks the position as estimated', () => {
    const page = draw(atlantic);
    expect([page.includes(refresh), page.includes(caveat)]).toEqual([true, true]);
    const landed = draw({ ...atlantic, state: 'Landed' });
    expect([landed.includes(refresh), landed.includes(caveat), landed.includes('class="aircraft"')]).toEqual([
      false,
      false,
      false,
    ]);
    expect(landed).toContain('<span class="badge">Landed</span>');
  });

  test('has no script, no external style and no external address', () => {
    const page = draw(diverted);
    expect(page.match(/<script|<link|<img|<iframe|\b(?:src|href|style|on\w+)=|url\(|@import|https?:/gi)).toBeNull();
    expect(page.match(/<style>/g)).toHaveLength(1);
  });

  test('escapes every text', () => {
    const evil = `"><script>alert('1')</script>&amp;`;
    const station = { ...LHR, code: evil, name: evil, city: evil };
    const page = draw({
      ...atlantic,
      designator: evil,
      departure: station,
      arrival: { ...JFK, city: undefined, name: evil },
    });
    expect(page).not.toContain('<script');
    expect(page).not.toContain(`alert('`);
    expect(page).toContain('<h1>&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;</h1>');
  });

  test.each([
    [landingAt(DEN), 'inAir', 'Diverted to Denver (DEN)'],
    [landingAt(undefined), 'inAir', 'Diverted. The airport is not known yet.'],
    [landingAt(JFK, { type: 'InAirReturn' }), 'inAir', 'Returning to New York (JFK)'],
    [
      landingAt(JFK, { type: 'InAirReturn', actualOn: at('2027-03-01T18:00Z') }),
      'Landed',
      'Returned to New York (JFK) · landed',
    ],
    [landingAt(DEN, { type: 'TechnicalStop' }), 'inAir', 'Stopping at Denver (DEN) on the way'],
  ] as const)('describes a diversion of kind %#', (landing, state, text) => {
    expect(draw({ ...diverted, state, landings: [landing] })).toContain(text);
  });

  test('marks a diversion airport by its shape, and a departure airport after a return once', () => {
    expect(draw(diverted).match(/class="place \w+"/g)).toEqual([
      'class="place end"',
      'class="place end"',
      'class="place diversion"',
      'class="place end"',
      'class="place end"',
      'class="place diversion"',
    ]);
    expect(draw({ ...diverted, landings: [landingAt(JFK)] }).match(/class="place \w+"/g)).toHaveLength(4);
  });

  test('contains only finite numbers, whatever the geometry', () => {
    const antipode = { ...LHR, code: 'ANT', latitude: -LHR.latitude, longitude: LHR.longitude + 180 };
    const pole = { ...LHR, code: 'NPL', latitude: 90, longitude: 0 };
    for (const [departure, arrival] of [
      [LHR, LHR],
      [LHR, antipode],
      [pole, LHR],
      [SIN, JFK],
    ] as const) {
      const page = draw({ ...atlantic, departure, arrival });
      expect(page, arrival.code).not.toMatch(/NaN|Infinity|undefined|null/);
      expect(page).toContain('class="aircraft"');
    }
  });

  test('keeps a track across 180° in one piece', () => {
    const page = draw(pacific, atMs('2027-03-02T11:00Z'));
    const paths = [...page.matchAll(/class="track (?:ahead|flown)" d="([^"]*)"/g)].map(([, path = '']) => path);
    expect(paths).toHaveLength(4);
    for (const path of paths) expect(path.match(/M/g)).toHaveLength(1);
  });

  test('stays below 300 kB', () => {
    for (const source of [atlantic, pacific, diverted, { ...pacific, departure: SIN, arrival: JFK }])
      expect(Buffer.byteLength(draw(source))).toBeLessThan(300_000);
  });
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
  const pairs = [
    ['text', 'page', 4.5],
    ['quiet', 'page', 4.5],
    ['warn', 'page', 4.5],
    ['warn', 'warn-page', 4.5],
    ['badge-text', 'badge', 4.5],
    ['text', 'halo', 4.5],
    ['route', 'land', 3],
    ['route', 'sea', 3],
    ['route', 'bar', 3],
    ['warn', 'land', 3],
    ['quiet', 'land', 3],
    ['quiet', 'sea', 3],
    ['plane', 'land', 3],
  ] as const;
  for (const [front, back, least] of pairs)
    expect(contrast(colours[front] ?? '', colours[back] ?? ''), `${front} on ${back}`).toBeGreaterThanOrEqual(least);
});
