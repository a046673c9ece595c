/** The rules of connections in the order in which they are applied (docs/connections.md). */
export const ruleNames = [
  'service',
  'same-flight',
  'connection-point',
  'position',
  'circuity',
  'codeshare',
  'partners',
  'traffic-restriction',
  'suppressed',
  'minimum-connecting-time',
  'maximum-connecting-time',
] as const;

export type RuleName = (typeof ruleNames)[number];
