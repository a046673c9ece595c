import type { CatalogVersion } from '../http/router/version-lifecycle.ts';
import { escapeHtml, timeOf } from './html.ts';

const attribute = (name: string, date: string | undefined): string =>
  date === undefined ? '' : ` data-${name}="${escapeHtml(date)}"`;

/**
 * Where the stage of a version is told. It is left to the script to say, on the day on which the page is read: the page itself does not
 * age. The dates beside it need no script.
 */
export const stageOf = ({ releasedOn, deprecatedOn, sunsetOn }: CatalogVersion): string =>
  `<span class="stage"${attribute('released', releasedOn)}${attribute('deprecated', deprecatedOn)}${attribute('sunset', sunsetOn)}></span>`;

/** The dates of a version in words, as HTML. */
export const datesOf = ({ releasedOn, deprecatedOn, sunsetOn }: CatalogVersion): string =>
  [
    `released ${timeOf(releasedOn)}`,
    ...(deprecatedOn === undefined ? [] : [`deprecated ${timeOf(deprecatedOn)}`]),
    ...(sunsetOn === undefined ? [] : [`removed ${timeOf(sunsetOn)}`]),
  ].join(' · ');
