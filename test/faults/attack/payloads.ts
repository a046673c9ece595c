/** SQL injection, separated by ` ~ `. The sleeps last far longer than any response takes. */
const sqlPayloads = [
  String.raw`' ~ '' ~ \ ~ \' ~ $1 ~ $$ ~ ; ~ -- ~ /* ~ % ~ _ ~ %%% ~ %27%20or%201=1 ~ {LHR,"x'--"} ~ E'\x27' ~ U&'\0027'`,
  String.raw`' or '1'='1 ~ ' or 1=1-- ~ 1 or 1=1 ~ LHR' or ''=' ~ LHR'-- ~ LHR') or ('1'='1 ~ LHR\' or 1=1--`,
  "'; select pg_sleep(30)-- ~ ' || pg_sleep(30) || ' ~ 1;select pg_sleep(30) ~ ' and (select pg_sleep(30)) is null--",
  "' union select null,null,null-- ~ ' union all select hash from subscription_key-- ~ '; drop table flight_instance; --",
  "'; copy (select 1) to program 'id'-- ~ \uff07 or 1=1 ~ \u02bc or 1=1",
];

/** Injection into other formats, control characters and extreme values. */
const otherPayloads = [
  '\0 ~ LHR\0 ~ \r\nX-Injected: 1 ~ \n{"level":"info","status":200} ~ \u001b[2J\u001b[31m ~ \u0085\u2028\u2029',
  '"}{"level":"error" ~ <script>alert(1)</script> ~ ${jndi:ldap://127.0.0.1/a} ~ {{7*7}} ~ ../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd ~ __proto__ ~ constructor ~ toString ~ \ud800 ~ \u202eRHL ~ 🛩️🛩️🛩️',
  `-1 ~ 1e309 ~ NaN ~ 9007199254740993 ~ 0x1F ~ ٣ ~ true ~ null ~ [] ~ ${'A'.repeat(2000)}`,
];

export const payloads = [...sqlPayloads, ...otherPayloads].flatMap((texts) => texts.split(' ~ '));

/** Encodes a text for a URL. UTF-8 has no lone surrogates: the result is what a careless sender writes. */
export const encodePayload = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80');

/** Encodes a text as a header value, in the bytes that a client would send; undefined when HTTP has no such value. */
export const toHeaderValue = (text: string): string | undefined =>
  /[\0\r\n]/.test(text) || !text.isWellFormed() ? undefined : Buffer.from(text).toString('latin1');
