/** What "connections add" and "connections edit" were given, as what a person would type into the form. */
import { CordonError } from '#shared/contract/errors.ts';
import { connectionColours, ownEnvironments, type ConnectionInput, type ProxyLogin } from '#shared/model/connection.ts';

import type { Invocation } from './argv.ts';
import { serverUrl } from './choose-connection.ts';
import { usage } from './faults.ts';
import type { CliHost } from './host.ts';
import { askSecret, readSecretFile } from './key.ts';

type Sub = Invocation & { readonly kind: 'subcommand' };
type Network = Pick<ConnectionInput, 'proxy' | 'proxyLogin' | 'ca'>;

export async function readNew(sub: Sub, host: CliHost): Promise<ConnectionInput> {
  const { words, options, globals } = sub;
  const looks = looksOf(sub);
  // Everything that can be wrong without a secret is told before one is asked for.
  const network = await networkOf(sub, host);
  return {
    name: words[0] ?? '',
    url: serverUrl(globals.server ?? ''),
    clientId: globals.clientId ?? '',
    insecure: globals.insecure,
    readOnly: !options.has('writable'),
    colour: looks.colour ?? 'blue',
    environment: looks.environment ?? 'production',
    ...network,
    apiKey: await readKey(sub, host),
  };
}

/** Only what was given; the rest stays. */
export async function readChange(sub: Sub, host: CliHost): Promise<Partial<ConnectionInput>> {
  const { options, globals } = sub;
  if (globals.insecure && options.has('verify'))
    throw usage('--insecure and --verify contradict each other', 'give one of them', 'verify');
  const change = {
    ...looksOf(sub),
    ...(options.has('rename') && { name: options.get('rename')?.[0] ?? '' }),
    ...((globals.insecure || options.has('verify')) && { insecure: globals.insecure }),
    ...((options.has('writable') || options.has('read-only')) && { readOnly: !options.has('writable') }),
    ...(await networkOf(sub, host)),
    ...(globals.apiKeyFile !== undefined && { apiKey: await readKey(sub, host) }),
  };
  if (Object.keys(change).length === 0)
    throw usage('connections edit was given nothing to change', 'see "cordon help connections edit"');
  return change;
}

function looksOf({ options }: Sub): Partial<Pick<ConnectionInput, 'colour' | 'environment'>> {
  if (options.has('read-only') && options.has('writable'))
    throw usage('--read-only and --writable contradict each other', 'give one of them', 'read-only');
  const colour = connectionColours.find((known) => known === options.get('colour')?.[0]);
  const environment = ownEnvironments.find((known) => known === options.get('environment')?.[0]);
  return {
    ...(colour !== undefined && { colour }),
    ...(environment !== undefined && { environment }),
  };
}

async function networkOf({ options, globals }: Sub, host: CliHost): Promise<Network> {
  const [proxy, login, ca] = ['proxy', 'proxy-login-file', 'ca'].map((name) => options.get(name)?.[0] ?? undefined);
  if (login === '-' && globals.apiKeyFile === '-')
    throw usage('standard input can hold one secret alone', 'put the other into a file', 'proxy-login-file');
  return {
    ...(proxy !== undefined && { proxy: proxy.toLowerCase() === 'system' ? null : proxy }),
    ...(ca !== undefined && { ca: ca === 'none' ? null : await readBundle(host, ca) }),
    ...(login !== undefined && { proxyLogin: login === 'none' ? null : await readLogin(host, login) }),
  };
}

async function readLogin(host: CliHost, file: string): Promise<ProxyLogin> {
  const text = await readSecretFile(host, file, 'proxy-login-file');
  const colon = text.indexOf(':');
  if (colon > 0) return { user: text.slice(0, colon), password: text.slice(colon + 1) };
  throw new CordonError('usage', 'The first line must be USER:PASSWORD.', { field: 'proxy-login-file' });
}

async function readBundle({ files }: CliHost, file: string): Promise<string> {
  return await files.read(file).catch((error: unknown) => {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CordonError('usage', `${file} cannot be read (${reason}).`, { field: 'ca' });
  });
}

async function readKey({ globals }: Sub, host: CliHost): Promise<string> {
  if (globals.apiKeyFile !== undefined) return await readSecretFile(host, globals.apiKeyFile, 'api-key-file');
  const key = await askSecret(host, 'API key (it is not shown): ', 'api-key-file');
  if (key === '') throw new CordonError('usage', 'The API key is empty.', { field: 'api-key-file' });
  return key;
}
