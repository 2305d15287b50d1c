import type { Answer } from './answer.ts';
import type { Call } from './call.ts';
import { dateOffset } from './computer-record.ts';
import { listAnswer, pageOf } from './paging.ts';
import type { Route } from './router.ts';
import type { Host } from './tenant/host.ts';
import { programs, runs } from './tenant/programs.ts';
import { dice } from './tenant/random.ts';
import { hostOf, type World } from './world.ts';

/** Old versions that people leave behind, with numbers from the public record. */
const known: readonly {
  readonly program: string;
  readonly application: string;
  readonly version: string;
  readonly cves: readonly (readonly [id: string, cvss: number])[];
}[] = [
  {
    program: 'firefox.exe',
    application: 'Mozilla Firefox',
    version: '41.0',
    cves: [
      ['CVE-2015-7204', 6.8],
      ['CVE-2015-7201', 10],
      ['CVE-2015-7205', 10],
    ],
  },
  {
    program: 'AcroRd32.exe',
    application: 'Adobe Acrobat Reader',
    version: '15.006.30096',
    cves: [
      ['CVE-2016-0931', 10],
      ['CVE-2016-0940', 6.8],
    ],
  },
  { program: '7zFM.exe', application: '7-Zip', version: '15.05', cves: [['CVE-2016-2334', 6.8]] },
  { program: 'putty.exe', application: 'PuTTY', version: '0.66', cves: [['CVE-2016-2563', 7.5]] },
  { program: 'python.exe', application: 'Python', version: '2.7.10', cves: [['CVE-2016-5636', 10]] },
];

/** The deprecated call of one computer (API reference, 4.9); an answer with few of them is the usual one. */
export function vulnerabilityRoutes(world: World): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/computers/:guid/vulnerabilities',
      query: ['limit', 'offset', 'start_time', 'end_time'],
      handle: (call, guid = '') => vulnerabilities(world, call, hostOf(world, guid)),
    },
  ];
}

function vulnerabilities(world: World, call: Call, host: Host): Answer {
  const page = pageOf(call);
  const all = known.filter(({ program }) => isOld(world, host, program));
  const shown = all.slice(page.offset, page.offset + page.limit).map((found) => recordOf(world, call, host, found));
  return listAnswer(call, page, all.length, { connector_guid: host.guid, vulnerabilities: shown }, shown.length);
}

function isOld(world: World, host: Host, name: string): boolean {
  const index = programs.findIndex((program) => program.name === name);
  const { seedNumber } = world.tenant;
  return host.platform === 'windows' && runs(seedNumber, host, index) && dice(seedNumber, host.index, index + 77) < 0.4;
}

function recordOf(world: World, call: Call, host: Host, found: (typeof known)[number]) {
  const sha256 = programs.find(({ name }) => name === found.program)?.sha256 ?? '';
  const seen = world.fleet.lastSeen(host, call.now);
  return {
    application: found.application,
    version: found.version,
    // The service writes these in upper case (API reference, 1.8).
    file: { filename: found.program, identity: { sha256: sha256.toUpperCase() } },
    cves: found.cves.map(([id, cvss]) => ({ id, link: `https://nvd.nist.gov/vuln/detail/${id}`, cvss })),
    latest_timestamp: Math.floor(seen / 1000),
    latest_date: dateOffset(seen),
  };
}
