/** Counts the faults planted in responses and services, and those that the contract tests detected. */
export const tally = { planted: 0, caught: 0 };

/** Counts a planted fault. Returns `caught` when the messages match the pattern, otherwise the messages. */
export const checkPlantedFault = (messages: readonly string[] | string, pattern: RegExp): string => {
  const text = [messages].flat().join('\n');
  const isCaught = pattern.test(text);
  tally.planted += 1;
  tally.caught += isCaught ? 1 : 0;
  return isCaught ? 'caught' : `${text || 'no message'}: not ${String(pattern)}`;
};
