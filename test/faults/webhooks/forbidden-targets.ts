/** Hosts in an internal network or on this machine, by kind. */
const forbiddenHosts = {
  'every spelling of a loopback address': `
    127.0.0.1 127.0.0.2 127.255.255.254 127.1 127.0.1 127.0.0.1. 0x7f.1 0x7f.0.0.1 0x7F.0x0.0x0.0x1 0x7f000001
    0X7F000001 0177.0.0.1 0177.1 017700000001 000000000177.0.0.1 2130706433 2130706433. 127.0x0.0.01 %31%32%37.0.0.1
    127%2e0%2e0%2e1 ①②⑦.⓪.⓪.① １２７.０.０.１ 127。0。0。1 127．0．0．1 127｡0｡0｡1 //127.0.0.1`,
  'this network and the unspecified address': `
    0 0.0.0.0 0. 0x0 00000 0.1.2.3`,
  'private, shared, link-local, benchmarking and documentation networks': `
    10.0.0.1 10.255.255.255 10.1 0xa.1 012.1 167772161 172.16.0.1 172.17.0.1 172.31.255.255 192.168.0.1 192.168.1
    3232235521 100.64.0.1 100.127.255.254 192.0.0.1 192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1
    192.88.99.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 4294967295`,
  'cloud metadata services, which return credentials': `
    0xa9fea9fe 0xa9.0xfe.0xa9.0xfe 2852039166 0251.0376.0251.0376 169.254.43518 169.16689662 100.100.100.200
    192.0.0.192 168.63.129.16 [fd00:ec2::254] [fd20:ce::254] [::ffff:169.254.169.254] [::ffff:a9fe:a9fe]
    [64:ff9b::a9fe:a9fe] [64:ff9b::169.254.169.254] [2002:a9fe:a9fe::1]`,
  'IPv6 and embedded IPv4': `
    [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::] [::ffff:127.0.0.1] [::ffff:7f00:1]
    [0:0:0:0:0:ffff:127.0.0.1] [::ffff:0:127.0.0.1] [::127.0.0.1] [::7f00:1] [64:ff9b::7f00:1] [64:ff9b::10.0.0.1]
    [64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:a00:1::1] [2001:0:4136:e378:8000:63bf:80ff:fffe] [2001:db8::1]
    [3fff::1] [100::1] [5f00::1] [fc00::1] [fdff:ffff::1] [fe80::1] [fe80::1%25lo] [fe80::1%lo] [fec0::1] [ff02::1]`,
  'names of this machine and its network, and public names that resolve to them': `
    localhost LOCALHOST localhost. ⓛⓞⓒⓐⓛⓗⓞⓢⓣ loc%61lhost any.localhost localhost.localdomain printer.local database
    metadata metadata.google.internal instance-data.ec2.internal router.home.arpa 127.0.0.1.names.example.com
    7f000001.names.example.com six.names.example.com mapped.names.example.com translated.names.example.com
    metadata.names.example.com mixed.names.example.com zone.names.example.com`,
};

/** The same in other forms of URLs, and URLs that are malformed or lead elsewhere. */
const otherUrls: readonly string[] = [
  'https:\\\\127.0.0.1:{port}\\',
  'https:/127.0.0.1:{port}/',
  'https:127.0.0.1:{port}/',
  'https://local\u00adhost:{port}/',
  'https://pub\r\nlic.example.com/',
  'https://127.0.\t0.1:{port}/',
  ' https://127.0.0.1:{port}/',
  'https://127.0.0.1:{port}/ ',
  'https://127.0.0.1:{port}/\r\nx-header: y',
  'data:text/plain,x',
  'javascript:fetch("https://127.0.0.1")',
  '',
  ...`
    https://127.0.0.1/ HTTPS://127.0.0.1:{port}/ https://169.254.169.254/latest/meta-data/
    https://169.254.170.2/v2/credentials https://user:password@127.0.0.1:{port}/
    https://public.example.com@127.0.0.1:{port}/ https://public.example.com:443@127.0.0.1:{port}/
    https://public.example.com%23@127.0.0.1:{port}/ https://user@public.example.com/ https://:password@public.example.com/
    https://127.0.0.1:{port}#@public.example.com/ https://127.0.0.1:{port}?@public.example.com/
    https://127.0.0.1:{port}\\@public.example.com/ http://127.0.0.1:{port}/ http://localhost:{port}/
    http://public.example.com/ http://public.example.com:443/ file:///etc/passwd ftp://127.0.0.1:{port}/
    gopher://127.0.0.1:{port}/_x ws://127.0.0.1:{port}/ wss://127.0.0.1:{port}/ unix:/var/run/docker.sock
    blob:https://127.0.0.1:{port}/ jar:https://127.0.0.1:{port}/!/ https://public.example.com:22/
    https://public.example.com:25/ https://public.example.com:6379/ https://public.example.com:0/
    https://public.example.com:65536/ https://public.example.com./ //127.0.0.1:{port}/ 127.0.0.1:{port} https:// https://?
    https://[ https://[::1 https://[::1]]:{port}/ https://256.256.256.256:{port}/ https://1.2.3.4.5:{port}/
    https://0x1ffffffff:{port}/`
    .trim()
    .split(/\s+/),
];

/** URLs that must be rejected. `{port}` is a port with a listener on every address of this machine. */
export const forbiddenUrls: readonly string[] = [
  ...Object.values(forbiddenHosts).flatMap((hosts) =>
    hosts
      .trim()
      .split(/\s+/)
      .map((host) => `https://${host}:{port}/`),
  ),
  ...otherUrls,
];

const namesByAddress: Readonly<Record<string, string>> = {
  '127.0.0.1': `localhost any.localhost localhost.localdomain printer.local database 127.0.0.1.names.example.com
    7f000001.names.example.com mixed.names.example.com`,
  '169.254.169.254': `metadata metadata.google.internal instance-data.ec2.internal metadata.names.example.com`,
  '192.168.0.1': 'router.home.arpa',
  '::1': 'six.names.example.com',
  '::ffff:127.0.0.1': 'mapped.names.example.com',
  '64:ff9b::7f00:1': 'translated.names.example.com',
  'fe80::1%lo': 'zone.names.example.com',
};

export const dnsRecords: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(namesByAddress).flatMap(([address, names]) => names.split(/\s+/).map((name) => [name, [address]])),
  ),
  'public.example.com': ['8.8.8.8'],
  'mixed.names.example.com': ['8.8.8.8', '127.0.0.1'],
};
