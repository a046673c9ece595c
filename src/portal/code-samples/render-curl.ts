import { describeVariable, toEnvironmentName, type SampleCall } from './sample-call.ts';

/** Replaces `{alertId}` with `$ALERT_ID`, and `{today}` with a call of `date`. */
const expandVariables = (text: string): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'today' ? '$(date -u +%F)' : `$${toEnvironmentName(name)}`,
  );

/** Renders a call for a POSIX shell, with one query parameter a line: panels are narrow. */
export const renderCurl = ({ method, server, path, query, body, textBody, ...call }: SampleCall): string => {
  const comments = call.variables.map((name) => `# ${describeVariable(name)}\n`).join('');
  const url = `${server}${expandVariables(path)}`;
  const parameters = query.map(({ name, value }) => `${name}=${expandVariables(value)}`);
  const headers = [
    ...(call.needsKey ? [`-H "Subscription-Key: $SUBSCRIPTION_KEY"`] : []),
    ...(call.needsAccount ? [`-H "accountId: $ACCOUNT_ID"`] : []),
  ];
  const text = body === undefined ? undefined : expandVariables(JSON.stringify(body, undefined, 2));
  const content = text === undefined ? [] : [`-H "Content-Type: application/json" -d @- <<JSON\n${text}\nJSON`];
  const textContent = textBody && [
    `-H "Content-Type: ${textBody.mediaType}" --data-binary @- <<'BODY'\n${textBody.text}\nBODY`,
  ];
  const lines =
    method === 'get'
      ? [`curl -sG "${url}"`, ...headers, ...parameters.map((one) => `-d "${one}"`)]
      : [
          `curl -s -X ${method.toUpperCase()} "${url}?${parameters.join('&')}"`,
          ...headers,
          ...(textContent ?? content),
        ];
  return comments + lines.join(' \\\n  ');
};
