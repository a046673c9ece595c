import { geoGraticule10 } from 'd3-geo';
import { UNIT } from './compact-path.ts';
import { markup, type Markup } from './markup.ts';
import type { View } from './project-map.ts';
import { worldNear } from './world.ts';

/**
 * A page asks for itself again every minute, and several people look at one flight: its two maps are drawn once, in 35 to
 * 120 ms each, and kept while others have not taken their place; then a page takes 2 to 5 ms. An entry has up to 130 kB.
 */
const MOST_KEPT = 64;
const kept = new Map<string, Markup>();

const draw = (view: View): Markup => {
  const { land, borders } = worldNear(view.part);
  return markup`<path class="sea" d="${view.path({ type: 'Sphere' }) ?? ''}"/>
<path class="graticule" d="${view.path(geoGraticule10()) ?? ''}"/>
<g transform="scale(${UNIT})"><path class="land" d="${view.compact(land)}"/>
<path class="borders" d="${view.compact(borders)}"/></g>`;
};

/** Sea, land and borders of a view: all of the map that is the same for as long as the flight goes where it goes. */
export const drawBase = (view: View): Markup => {
  const known = kept.get(view.name);
  const base = known ?? draw(view);
  kept.delete(view.name);
  kept.set(view.name, base);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return base;
};
