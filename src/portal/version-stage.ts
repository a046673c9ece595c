import type { CatalogVersion } from '#http/router/version-lifecycle.ts';
import { escapeHtml, renderDate } from './html.ts';

const attribute = (name: string, date: string | undefined): string =>
  date === undefined ? '' : ` data-${name}="${escapeHtml(date)}"`;

/** Renders a placeholder for the stage of a version. assets/portal.js fills it in by the date on which the page is read. */
export const renderStage = ({ releasedOn, deprecatedOn, sunsetOn }: CatalogVersion): string =>
  `<span class="stage"${attribute('released', releasedOn)}${attribute('deprecated', deprecatedOn)}${attribute('sunset', sunsetOn)}></span>`;

/** Renders the dates of a version as text. */
export const renderDates = ({ releasedOn, deprecatedOn, sunsetOn }: CatalogVersion): string =>
  [
    `released ${renderDate(releasedOn)}`,
    ...(deprecatedOn === undefined ? [] : [`deprecated ${renderDate(deprecatedOn)}`]),
    ...(sunsetOn === undefined ? [] : [`removed ${renderDate(sunsetOn)}`]),
  ].join(' · ');
