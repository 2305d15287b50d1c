import {
  cloudIoc,
  briefOf,
  convictedConnection,
  detectedBlock,
  fileActivity,
  networkActivity,
  programNamed,
  quarantinedBlock,
  quarantineFailureBlock,
  type FileBrief,
} from './blocks.ts';
import { castPositions, type StoryRole } from './cast.ts';
import { types } from './event-types.ts';
import { connectorEventId, factDie, type EventBlock, type EventFact } from './facts.ts';
import type { Host } from './host.ts';
import { malware, type Malware } from './malware.ts';
import type { Program } from './programs.ts';
import { random, type Random } from './random.ts';

/** File or network activity of one computer, as its trajectory tells it. Milliseconds after the start. */
export interface ActivityFact {
  readonly at: number;
  readonly type: 'Created by' | 'Executed by' | 'Moved by' | 'NFM';
  readonly host: number;
  readonly block: EventBlock;
}

export interface Story {
  readonly events: readonly EventFact[];
  readonly activities: readonly ActivityFact[];
  /** Hashes and addresses that link the computers. */
  readonly indicators: { readonly dropper: string; readonly document: string; readonly commandServer: string };
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

export const commandServer = '203.0.113.66';
const macServer = '203.0.113.91';
const miningPool = '203.0.113.140';

interface Scene {
  readonly die: Random;
  readonly seed: string;
  /** When the mail arrived. */
  readonly zero: number;
  readonly dropper: Malware;
  readonly document: Malware;
  readonly hosts: ReadonlyMap<StoryRole, Host>;
  readonly events: EventFact[];
  readonly activities: ActivityFact[];
}

/** The attack: a mail, a document, a shell, a command server, a dropper, and the same file on the next machines. */
export function tellStory(seed: string, hosts: readonly Host[]): Story {
  const die = random(seed, 'story');
  const scene: Scene = {
    die,
    seed,
    zero: -(22 * hour + die.int(8 * hour)),
    dropper: malware(
      seed,
      'W32.Updchk.RAT.tht.VRT',
      'updchk.exe',
      'C:\\Users\\%USER%\\AppData\\Local\\Temp\\updchk.exe',
    ),
    document: malware(
      seed,
      'Doc.Downloader.Invoice::in03.talos',
      'Invoice_2291.docm',
      'C:\\Users\\%USER%\\Downloads\\Invoice_2291.docm',
    ),
    hosts: actors(hosts),
    events: [],
    activities: [],
  };
  for (const act of [phish, recipient, spreadToServer, spreadToWard, macAct, minerAct]) act(scene);
  return {
    events: scene.events,
    activities: scene.activities,
    indicators: { dropper: scene.dropper.sha256, document: scene.document.sha256, commandServer },
  };
}

function actors(hosts: readonly Host[]): ReadonlyMap<StoryRole, Host> {
  const members = [...castPositions(hosts.length)];
  return new Map(
    members.flatMap(([index, { plays }]) => {
      const host = hosts[index];
      return plays === undefined || host === undefined ? [] : [[plays, host] as const];
    }),
  );
}

function phish(scene: Scene): void {
  const host = scene.hosts.get('patientZero');
  if (host === undefined) return;
  const { zero } = scene;
  const [outlook, word, shell] = [
    programNamed('OUTLOOK.EXE'),
    programNamed('WINWORD.EXE'),
    programNamed('powershell.exe'),
  ];
  const drop = dropped(scene.dropper, `/c:/users/${host.user}/appdata/local/temp/updchk.exe`);
  act(
    scene,
    host,
    zero,
    'Created by',
    fileActivity(dropped(scene.document, `/c:/users/${host.user}/downloads/invoice_2291.docm`), briefOf(outlook)),
  );
  act(
    scene,
    host,
    zero + 3 * minute,
    'Executed by',
    fileActivity(briefOf(word), briefOf(programNamed('explorer.exe'))),
  );
  act(scene, host, zero + 3 * minute + 20 * second, 'Executed by', {
    ...fileActivity(briefOf(shell), briefOf(word)),
    command_line: { arguments: ['powershell.exe', '-nop', '-w', 'hidden', '-enc', 'SQBFAFgAIAAoAE4AZQB3AC0A'] },
  });
  act(
    scene,
    host,
    zero + 3 * minute + 25 * second,
    'NFM',
    networkActivity(beacon(scene, host, `https://${commandServer}/gate/2291`), briefOf(shell)),
  );
  act(scene, host, zero + 3 * minute + 40 * second, 'Created by', fileActivity(drop, briefOf(shell)));
  act(scene, host, zero + 3 * minute + 50 * second, 'Executed by', fileActivity(drop, briefOf(shell)));
  beacons(scene, host, zero + 10 * minute, drop);
  event(
    scene,
    host,
    zero + 3 * minute + 30 * second,
    types.wordShell,
    { severity: 'High', file: suspect(word) },
    { application: word.sha256 },
  );
  event(
    scene,
    host,
    zero + 4 * minute,
    types.cloudIoc,
    cloudIoc(
      'High',
      'W32.PowershellDownload.ioc',
      'A PowerShell process started by an Office application downloaded and started a file.',
      ['TA0002', 'TA0011'],
      ['T1059.001', 'T1105'],
    ),
  );
  event(
    scene,
    host,
    zero + 12 * minute,
    types.executedMalware,
    { severity: 'Critical', file: { disposition: 'Malicious', identity: { sha256: scene.dropper.sha256 } } },
    { detection: scene.dropper.sha256 },
  );
  detection(scene, host, zero + 20 * hour, scene.dropper, shell, 'Critical', 'failed');
  scene.events.push({
    id: undefined,
    at: zero + 20 * hour + 40 * minute,
    type: types.threatHunting,
    host: host.index,
    frame: 'computer',
    block: huntBlock(scene, host),
  });
}

function recipient(scene: Scene): void {
  const host = scene.hosts.get('recipient');
  if (host === undefined) return;
  const outlook = programNamed('OUTLOOK.EXE');
  const document = dropped(scene.document, `/c:/users/${host.user}/downloads/invoice_2291.docm`);
  act(scene, host, scene.zero + 10 * minute, 'Created by', fileActivity(document, briefOf(outlook)));
  event(
    scene,
    host,
    scene.zero + 11 * minute,
    types.exploitPrevention,
    { severity: 'Medium', file: suspect(programNamed('WINWORD.EXE')) },
    { application: programNamed('WINWORD.EXE').sha256 },
  );
  detection(scene, host, scene.zero + 10 * minute + 2 * second, scene.document, outlook, 'High', 'quarantined');
}

function spreadToServer(scene: Scene): void {
  const [from, host] = [scene.hosts.get('patientZero'), scene.hosts.get('fileServer')];
  if (from !== undefined && host !== undefined) spread(scene, from, host, scene.zero + 2 * hour, 'quarantined');
}

function spreadToWard(scene: Scene): void {
  const [from, host] = [scene.hosts.get('fileServer'), scene.hosts.get('ward')];
  if (from !== undefined && host !== undefined) spread(scene, from, host, scene.zero + 5 * hour, 'failed');
}

/** The same file arrives over SMB, runs as a service and calls home. */
function spread(scene: Scene, from: Host, to: Host, at: number, outcome: Outcome): void {
  const service = briefOf(programNamed('svchost.exe'));
  const there = dropped(scene.dropper, '/c:/windows/updchk.exe');
  const port = 50_000 + scene.die.int(9000);
  act(
    scene,
    from,
    at,
    'NFM',
    networkActivity({ remoteIp: addressOf(to), remotePort: 445, localIp: addressOf(from), localPort: port }, there),
  );
  act(
    scene,
    to,
    at + second,
    'NFM',
    networkActivity(
      { remoteIp: addressOf(from), remotePort: port, localIp: addressOf(to), localPort: 445, incoming: true },
      service,
    ),
  );
  act(scene, to, at + 4 * second, 'Created by', fileActivity(there, service));
  act(scene, to, at + 9 * second, 'Executed by', fileActivity(there, service));
  beacons(scene, to, at + minute, there);
  event(
    scene,
    to,
    at + 2 * minute,
    types.cloudIoc,
    cloudIoc(
      'High',
      'W32.RemoteServiceCreated.ioc',
      'A service was created from another computer and started a file without a signature.',
      ['TA0008'],
      ['T1021.002', 'T1569.002'],
    ),
  );
  detection(
    scene,
    to,
    scene.zero + 20 * hour + 5 * minute,
    scene.dropper,
    programNamed('svchost.exe'),
    'Critical',
    outcome,
  );
}

function macAct(scene: Scene): void {
  const host = scene.hosts.get('mac');
  if (host === undefined) return;
  const at = scene.zero - 30 * hour;
  const safari = programNamed('Safari');
  const bad = malware(scene.seed, 'Osx.Trojan.FakeUpdate', 'AdobeUpdater', '/Users/%USER%/Downloads/AdobeUpdater');
  const file = { ...dropped(bad, `/users/${host.user}/downloads/adobeupdater`), type: 'Mach-O Universal Binary' };
  act(scene, host, at, 'Created by', fileActivity(file, briefOf(safari)));
  act(scene, host, at + minute, 'Executed by', fileActivity(file, briefOf(programNamed('zsh'))));
  act(
    scene,
    host,
    at + 70 * second,
    'NFM',
    networkActivity(
      {
        remoteIp: macServer,
        remotePort: 443,
        localIp: '0.0.0.0',
        localPort: 0,
        url: 'https://flash-update.example/mac/next',
      },
      file,
    ),
  );
  detection(scene, host, at + 90 * second, bad, safari, 'High', 'quarantined');
}

function minerAct(scene: Scene): void {
  const host = scene.hosts.get('miner');
  if (host === undefined) return;
  const at = scene.zero - 4 * hour;
  const bash = programNamed('bash');
  const bad = malware(scene.seed, 'Unix.Coinminer.Generic', 'kworkerds', '/tmp/.x/kworkerds');
  const file = { ...dropped(bad, '/tmp/.x/kworkerds'), type: 'ELF' };
  act(scene, host, at, 'Created by', fileActivity(file, briefOf(bash)));
  act(scene, host, at + second, 'Executed by', fileActivity(file, briefOf(bash)));
  const link = { remoteIp: miningPool, remotePort: 3333, localIp: addressOf(host), localPort: 41_212 };
  for (let i = 0; i < 60; i += 1) act(scene, host, at + minute + i * 10 * minute, 'NFM', networkActivity(link, file));
  event(
    scene,
    host,
    at + 2 * minute,
    types.dfcDetected,
    { severity: 'Medium', ...convictedConnection(link, file) },
    { application: bad.sha256 },
  );
  detection(scene, host, at + 3 * minute, bad, bash, 'High', 'failed');
}

type Outcome = 'quarantined' | 'failed';

/** Detection and its outcome share a `detection_id`. */
function detection(
  scene: Scene,
  host: Host,
  at: number,
  bad: Malware,
  parent: Program,
  severity: string,
  outcome: Outcome,
): void {
  const id = connectorEventId(factDie(scene.seed, 'detection', host.index, at));
  const known = { detection: bad.sha256, application: parent.sha256 };
  event(
    scene,
    host,
    at,
    types.threatDetected,
    detectedBlock(bad, host.user, id, severity, parent, 900 + scene.die.int(9000)),
    known,
  );
  if (outcome === 'quarantined')
    return event(scene, host, at, types.quarantined, quarantinedBlock(bad, id, severity), known);
  event(
    scene,
    host,
    at + second,
    types.quarantineFailure,
    quarantineFailureBlock(bad, id, severity, 3221225539, 'The file is open in another process.'),
    known,
  );
}

function event(
  scene: Scene,
  host: Host,
  at: number,
  type: number,
  block: EventBlock,
  hashes: { readonly detection?: string; readonly application?: string } = {},
): void {
  const id = connectorEventId(factDie(scene.seed, 'story event', host.index, type, at));
  scene.events.push({
    id,
    at,
    type,
    host: host.index,
    frame: 'computer',
    block,
    ...(hashes.detection === undefined ? {} : { detectionSha256: hashes.detection }),
    ...(hashes.application === undefined ? {} : { applicationSha256: hashes.application }),
  });
}

function act(scene: Scene, host: Host, at: number, type: ActivityFact['type'], block: EventBlock): void {
  scene.activities.push({ at, type, host: host.index, block });
}

function beacons(scene: Scene, host: Host, from: number, file: FileBrief): void {
  for (let at = from; at < -minute; at += 25 * minute + scene.die.int(10 * minute)) {
    act(scene, host, at, 'NFM', networkActivity(beacon(scene, host, `https://${commandServer}/status`), file));
  }
}

function beacon(
  scene: Scene,
  host: Host,
  url: string,
): { remoteIp: string; remotePort: number; localIp: string; localPort: number; url: string } {
  return {
    remoteIp: commandServer,
    remotePort: 443,
    localIp: addressOf(host),
    localPort: 49_500 + scene.die.int(9000),
    url,
  };
}

export function addressOf(host: Host): string {
  return (host.ips.at(-1) ?? '').trim();
}

function dropped(bad: Malware, path: string): FileBrief {
  return { name: bad.fileName, path, sha256: bad.sha256, type: 'PE Executable', disposition: 'Malicious' };
}

function suspect(program: Program): EventBlock {
  return { disposition: 'Clean', file_name: program.name, identity: { sha256: program.sha256 } };
}

function huntBlock(scene: Scene, host: Host): EventBlock {
  return {
    severity: 'Critical',
    tactics: [
      {
        name: 'Command and Control',
        description: '<p>The adversary is trying to communicate with compromised systems.</p>',
        external_id: 'TA0011',
        mitre_url: 'https://attack.mitre.org/tactics/TA0011',
      },
    ],
    techniques: [
      {
        name: 'Ingress Tool Transfer',
        description: '<p>Adversaries may transfer tools.</p>',
        external_id: 'T1105',
        mitre_url: 'https://attack.mitre.org/techniques/T1105',
      },
    ],
    threat_hunting: {
      incident_report_guid: scene.die.guid(),
      incident_hunt_guid: scene.die.guid(),
      incident_id: 4200 + scene.die.int(600),
      incident_title: 'Remote access tool after a phishing mail',
      incident_summary: `A document opened on ${host.hostname} started a remote access tool that talks to ${commandServer}.`,
      incident_remediation: 'Isolate the computers named here and reset the credentials of their users.',
      severity: 'critical',
    },
  };
}
