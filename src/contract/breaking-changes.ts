import { toList } from '../lib/openapi-document.ts';
import type { DocumentChange } from './diff-documents.ts';

/** A change that a version must not have once it is published: what it is, where, and what it would do to subscribers. */
export type BreakingChange = { readonly rule: string; readonly path: string; readonly message: string };

type HouseRule = {
  readonly rule: string;
  readonly message: string;
  readonly isBroken: (change: DocumentChange) => boolean;
};

const isModified = ({ typeName, property }: DocumentChange, type: string, member: string): boolean =>
  typeName === type && property === member;

const isLifecycle = ({ path, property }: DocumentChange, member: string): boolean =>
  path === '#/x-lifecycle' && property === member;

/** Headers of what is posted to subscribers are written as parameters, which the tool takes for something that they send. */
const isEventHeader = ({ typeName, path }: DocumentChange): boolean =>
  typeName === 'Parameter' && path.startsWith('#/webhooks/');

/** What breaks subscribers and `redocly diff` lets pass. The guide `versions-and-sunsets.md` has the same list for them. */
const houseRules: readonly HouseRule[] = [
  {
    rule: 'default-changed',
    message: 'A call that leaves this out would be answered otherwise.',
    // Also where a response has it: of a schema that bodies share with responses, only the first place is reported.
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

/** Those of some changes that break subscribers who do what the guides say: by the tool's rules, then by those of the house. */
export const breakingChanges = (changes: readonly DocumentChange[]): readonly BreakingChange[] =>
  changes.flatMap((change) => {
    const { path } = change;
    if (change.impact === 'major')
      return change.verdicts
        .filter(({ impact }) => impact === 'major')
        .map(({ ruleId, message }) => ({ rule: ruleId, path, message }));
    return houseRules.filter(({ isBroken }) => isBroken(change)).map(({ rule, message }) => ({ rule, path, message }));
  });
