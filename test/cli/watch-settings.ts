import { buildConfig, serviceVariables, type Config } from '#config.ts';
import { isReadBy, type VariableDescription } from '#lib/environment-variable.ts';

/** Only as a property of the configuration: a value computed from the variable. */
const computed: Readonly<Record<string, string>> = { hasLivePage: 'LIVE_PAGE' };

const contains = (value: unknown, wanted: unknown): boolean =>
  value === wanted ||
  (typeof value === 'object' && value !== null && Object.values(value).some((inner) => contains(inner, wanted)));

/** Finds the variables of each property of the configuration: each variable has a value of its own, which is found again. */
const listSources = (): ReadonlyMap<string, readonly VariableDescription[]> => {
  const values = serviceVariables.map((variable) => {
    const value = `/value of ${variable.name}`;
    return { variable, value, given: variable.name === 'DATABASE_URL' ? [value, value] : value };
  });
  const given: unknown = Object.fromEntries(values.map(({ variable, given: own }) => [variable.name, own]));
  const config = buildConfig(given as Parameters<typeof buildConfig>[0]);
  return new Map(
    Object.entries(config).map(([property, value]) => [
      property,
      values
        .filter(({ variable, value: own }) => contains(value, own) || computed[property] === variable.name)
        .map(({ variable }) => variable),
    ]),
  );
};

/** The variables that each property of the configuration is made of. */
export const settingSources = listSources();

/** Returns the configuration for a command; reading a setting throws when its variable does not name the command. */
export const watchSettings = (config: Config, command: string): Config =>
  new Proxy(config, {
    get: (target, property): unknown => {
      const all = settingSources.get(String(property)) ?? [];
      if (all.length > 0 && !all.some((variable) => isReadBy(variable, command)))
        throw new Error(
          `${command} reads ${String(property)}: add it to the commands of ${all.map(({ name }) => name).join(', ')} in src/server/config.ts`,
        );
      return Reflect.get(target, property);
    },
  });
