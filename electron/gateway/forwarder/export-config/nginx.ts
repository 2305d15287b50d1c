/** For nginx 1.19.3 or above, as one file of its `http` context, such as /etc/nginx/conf.d/cordon.conf. */
import { nginxLocation } from './nginx-location.ts';
import { nginxMaps } from './nginx-maps.ts';
import { plainPath } from './quoting.ts';
import { createReport, indented, type Report } from './report.ts';
import { authoritiesOf, hostPort, routedInstances } from './routed.ts';
import type { Exported, ExportInput, Routed } from './types.ts';

export function nginxConfig(input: ExportInput): Exported {
  const report = createReport();
  const routed = routedInstances(input);
  const { pem } = authoritiesOf(routed);
  const text = [
    '# The forwarding server of Cordon for nginx. Include it in the context http, for example as conf.d/cordon.conf.',
    '# What is not listed here answers 404, as it does in Cordon.',
    '',
    ...nginxMaps(input, routed, report),
    ...routed.map(upstream),
    server(input, routed, pem !== '', report),
    '',
  ].join('\n');
  const files = pem === '' ? [] : [{ name: 'cordon-client-authorities.pem', content: pem }];
  return { text, files, impossible: report.all };
}

function upstream({ number, instance: { host, listenPort } }: Routed): string {
  return `upstream cordon_${number} {
    server ${hostPort(host, listenPort)} max_fails=0;
    keepalive 64;
}
`;
}

function server(input: ExportInput, routed: readonly Routed[], asksClients: boolean, report: Report): string {
  const { listen, config, certificate, folder } = input;
  const { limits } = config;
  const head = [
    `listen ${hostPort(listen.host, listen.port)} ssl http2;`,
    'server_name _;',
    `ssl_certificate ${plainPath(certificate.certificateFile)};`,
    `ssl_certificate_key ${plainPath(certificate.keyFile)};`,
    'ssl_protocols TLSv1.2 TLSv1.3;',
    'ssl_ciphers ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305;',
    'ssl_session_tickets off;',
    ...(asksClients
      ? [
          `ssl_client_certificate ${plainPath(`${folder}/cordon-client-authorities.pem`)};`,
          'ssl_verify_client optional;',
          'ssl_verify_depth 8;',
        ]
      : []),
    'server_tokens off;',
    'merge_slashes off;',
    'absolute_redirect off;',
    'underscores_in_headers off;',
    report.impossible('400 for a header field whose name holds _: nginx leaves it out'),
    report.impossible('removing the fields that Connection names, refusing line ends of LF alone, and trailers'),
    report.impossible('errors as application/problem+json with Proxy-Status; the statuses are the same'),
    report.impossible('methods with characters other than A-Z, _ and -: nginx answers 400'),
    report.impossible('early hints (103): nginx before 1.29 does not forward them'),
    'client_max_body_size 0;',
    `client_header_timeout ${limits.headMs}ms;`,
    `keepalive_timeout ${limits.keepAliveMs}ms;`,
    `keepalive_requests ${limits.requestsPerConnection};`,
    `large_client_header_buffers 4 ${Math.min(limits.headBytes, limits.targetBytes)};`,
    `http2_max_concurrent_streams ${limits.streams};`,
    `limit_conn cordon_addresses ${limits.connectionsPerAddress};`,
    'limit_conn_status 429;',
    'limit_req_status 429;',
    report.impossible('a limit on all connections together; set worker_connections'),
    ...config.trustedProxies.map((network) => `set_real_ip_from ${network};`),
    ...(config.trustedProxies.length > 0 ? ['real_ip_header X-Forwarded-For;', 'real_ip_recursive on;'] : []),
    'add_header X-Request-Id $cordon_request_id always;',
  ];
  return `server {
${indented(head)}

${indented(decisions(input))}

${routed.map((one) => nginxLocation(one, input, report)).join('\n')}
}`;
}

/** Order of the checks as in the route description, 6.3. */
function decisions({ config }: ExportInput): readonly string[] {
  return [
    'location = /instance/version {',
    '    if ($cordon_host = 0) { return 400; }',
    '    default_type application/json;',
    `    return 200 '{"version":"${config.platformVersion.replaceAll(/[^\d.]/g, '')}"}';`,
    '}',
    '',
    'location / {',
    '    if ($cordon_host = 0) { return 400; }',
    '    if ($cordon_loop) { return 508; }',
    '    if ($cordon_route = "") { return 404; }',
    '    # nginx resolves the path, and it must still be below the same name: ".." leads nowhere else.',
    '    if ($cordon_resolved != $cordon_route) { return 400; }',
    '    if ($cordon_twice_encoded) { return 400; }',
    '    if ($cordon_cross_site) { return 403; }',
    '    rewrite ^ $cordon_route last;',
    '}',
  ];
}
