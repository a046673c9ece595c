/** Exit codes of all commands. `failed` of a load: nothing of the file was loaded; `quarantined`: some records were set aside. */
export const exitCodes = { success: 0, failed: 1, usage: 2, quarantined: 3 } as const;

/** Returns the exit code of several loads together. */
export const mergeExitCodes = (codes: readonly number[]): number =>
  codes.includes(exitCodes.failed) ? exitCodes.failed : Math.max(...codes, exitCodes.success);

/** Help text about the exit codes of the import commands. */
export const importExitCodeHelp = `
Exit codes: 0 loaded, 1 rejected (nothing of that file was loaded), 2 usage error, 3 loaded with quarantined records.`;
