import { needsEncoding, type Instance } from '#shared/model/instance.ts';
import { exposureOf, type ForwardSettings, type ServerParameters } from '#shared/model/server-parameter.ts';

import { isUnguarded } from './rules.ts';

/** What deserves a look, in sentences. */
export function warningsOf(
  instance: Instance,
  all: readonly Instance[],
  parameters: ServerParameters,
  settings: ForwardSettings,
): readonly string[] {
  const { name } = instance;
  const twin = all.find((other) => other.name !== name && other.name.toLowerCase() === name.toLowerCase());
  const open = instance.openPort && instance.program.kind !== 'external';
  const found: readonly (readonly [boolean, string])[] = [
    [
      settings.lan && exposureOf(parameters, name).exposed && isUnguarded(instance),
      'Everybody on the network can use it through the route: it has no access control.',
    ],
    [open, `Port ${instance.listenPort} is open to the network, past the access control of the route.`],
    [
      needsEncoding(name),
      'Its name must be encoded in URLs, which some firewalls and chat services are known to get wrong.',
    ],
    [twin !== undefined, `${twin?.name ?? ''} differs from it by capitals only: URLs are case-sensitive.`],
    [
      instance.listenPort === settings.listen.port,
      `The forwarding server is to listen on its port, ${instance.listenPort}, too.`,
    ],
  ];
  return found.flatMap(([applies, text]) => (applies ? [text] : []));
}
