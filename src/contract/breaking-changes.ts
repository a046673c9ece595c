import { toList } from '#lib/openapi-document.ts';
import { MAX_HEADER_BYTES } from '#http/server/connection-limits.ts';
import type { DocumentChange } from './diff-documents.ts';

/** A change that a published version must not have, with its effect on subscribers. */
export type BreakingChange = { readonly rule: string; readonly path: string; readonly message: string };

type OwnRule = {
  readonly rule: string;
  readonly message: string;
  readonly isBroken: (change: DocumentChange) => boolean;
};

const isModified = ({ typeName, property }: DocumentChange, type: string, member: string): boolean =>
  typeName === type && property === member;

const isLifecycle = ({ path, property }: DocumentChange, member: string): boolean =>
  path === '#/x-lifecycle' && property === member;

/** OpenAPI declares the headers of webhooks as parameters, and `redocly diff` treats them as sent by subscribers. */
const isEventHeader = ({ typeName, path }: DocumentChange): boolean =>
  typeName === 'Parameter' && path.startsWith('#/webhooks/');

/** Breaking changes that `redocly diff` does not report. docs/explanation/versions-and-deprecation.md documents the same list. */
const ownRules: readonly OwnRule[] = [
  {
    rule: 'default-changed',
    message: 'A call that leaves this out would be answered otherwise.',
    // In responses too: of a schema that requests and responses share, only the first use is reported.
    isBroken: (change) => isModified(change, 'Schema', 'default') && change.base?.value !== undefined,
  },
  {
    rule: 'header-no-longer-sure',
    message: 'A header that was always sent may be absent.',
    isBroken: (change) =>
      (isModified(change, 'Header', 'required') || (isEventHeader(change) && change.property === 'required')) &&
      change.base?.value === true,
  },
  {
    rule: 'event-header-removed',
    message: 'A header of what is posted to subscribers is gone, or has another name.',
    isBroken: (change) => isEventHeader(change) && (change.kind === 'removed' || change.property === 'name'),
  },
  {
    rule: 'schema-removed',
    message: 'What it described could be anything.',
    isBroken: ({ typeName, kind, path }) =>
      typeName === 'Schema' && kind === 'removed' && /\/(schema|items|headers|payload)$/.test(path),
  },
  {
    rule: 'success-added',
    message: 'A call that was answered with one status of success could be answered with another.',
    isBroken: ({ typeName, kind, path }) =>
      typeName === 'Response' && kind === 'added' && /^#\/paths\/.*\/responses\/2[0-9X]{2}$/.test(path),
  },
  {
    rule: 'path-parameter-renamed',
    message: 'The name of a path parameter is a name in generated clients.',
    isBroken: (change) => isModified(change, 'PathItem', 'key'),
  },
  {
    rule: 'operation-renamed',
    message: 'The name of an operation is a name in generated clients.',
    isBroken: (change) => isModified(change, 'Operation', 'key'),
  },
  {
    rule: 'body-property-removed',
    message: 'What subscribers send would be read past.',
    isBroken: ({ typeName, kind, path }) =>
      typeName === 'Schema' && kind === 'removed' && /\/requestBody\/.*\/properties\/[^/]+$/.test(path),
  },
  {
    rule: 'key-required',
    message: 'What was open to everybody falls back to the security of the document, which needs a key.',
    isBroken: ({ typeName, kind, base }) =>
      typeName === 'SecurityRequirementList' && kind === 'removed' && toList(base?.value).length === 0,
  },
  {
    rule: 'alias-removed',
    message: 'A value of `version` would no longer be known.',
    isBroken: (change) =>
      isLifecycle(change, 'aliases') &&
      toList(change.base?.value).some((alias) => !toList(change.revision?.value).includes(alias)),
  },
  {
    rule: 'sunset-earlier',
    message: 'A day that was announced as the end of a version may only move to a later one.',
    isBroken: (change) => {
      const [before, now] = [change.base?.value, change.revision?.value];
      return isLifecycle(change, 'sunsetOn') && typeof before === 'string' && typeof now === 'string' && now < before;
    },
  },
];

/** First bounds of a parameter that no request can exceed: every list item takes two characters, itself and a comma. */
const unreachableBounds: Readonly<Record<string, number>> = {
  maxLength: MAX_HEADER_BYTES,
  maxItems: MAX_HEADER_BYTES / 2,
};

/**
 * Whether a change documents a limit that the server has always enforced: longer request lines and headers get 431. Tighter bounds, bounds of
 * bodies, and changes of a bound that was published are judged by the tool.
 */
const isEnforcedBound = ({ path, kind, property = '', base, revision }: DocumentChange): boolean => {
  const least = unreachableBounds[property];
  return (
    kind === 'modified' &&
    /^#\/paths\/[^/]+\/([a-z]+\/)?parameters\/[^/]+\/schema(\/items)?$/.test(path) &&
    least !== undefined &&
    base?.value === undefined &&
    typeof revision?.value === 'number' &&
    revision.value >= least
  );
};

const allowsText = (type: unknown): boolean => [type].flat().includes('string');

/** Whether a change adds the pattern of a value that can newly be text too: no text was accepted before. */
const isPatternOfNewText = ({ path, property, base }: DocumentChange, changes: readonly DocumentChange[]): boolean =>
  property === 'pattern' &&
  base?.value === undefined &&
  changes.some(
    (other) =>
      other.path === path &&
      other.property === 'type' &&
      other.base?.value !== undefined &&
      !allowsText(other.base.value) &&
      allowsText(other.revision?.value),
  );

/** Whether a parameter accepts more: its new pattern is the old one, or something else: `^a$` and `^(a|b)$`. */
const isWidenedPattern = ({ path, property, base, revision }: DocumentChange): boolean => {
  const [before, now] = [base?.value, revision?.value];
  if (property !== 'pattern' || !path.includes('/parameters/')) return false;
  if (typeof before !== 'string' || typeof now !== 'string') return false;
  const [, accepted] = /^\^([^()|]+)\$$/.exec(before) ?? [];
  const [, alternatives = ''] = /^\^\(([^()]+)\)\$$/.exec(now) ?? [];
  return accepted !== undefined && alternatives.startsWith(`${accepted}|`);
};

/** Returns the changes that break subscribers who follow the guides, by the rules of the tool and by our own. */
export const findBreakingChanges = (changes: readonly DocumentChange[]): readonly BreakingChange[] =>
  changes.flatMap((change) => {
    const { path } = change;
    if (isEnforcedBound(change) || isPatternOfNewText(change, changes) || isWidenedPattern(change)) return [];
    if (change.impact === 'major')
      return change.verdicts
        .filter(({ impact }) => impact === 'major')
        .map(({ ruleId, message }) => ({ rule: ruleId, path, message }));
    return ownRules.filter(({ isBroken }) => isBroken(change)).map(({ rule, message }) => ({ rule, path, message }));
  });

const isText = ({ typeName, property = '' }: DocumentChange): boolean =>
  typeName === 'Example' || ['description', 'summary', 'title', 'example'].includes(property);

/** Returns the changes of a version past its sunset: all but texts, because no client can notice an addition. */
export const findChangesOfRemoved = (changes: readonly DocumentChange[]): readonly BreakingChange[] =>
  changes
    .filter((change) => !isText(change))
    .map(({ path, property }) => ({
      rule: 'removed-version-changed',
      path: property === undefined ? path : `${path}/${property}`,
      message: 'A removed version is frozen: copy what it shared with another document into its folder.',
    }));
