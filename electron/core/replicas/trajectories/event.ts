import type { Disposition } from '#shared/contract/sight.ts';

import { kindOf, type EventKind } from './kinds.ts';
import { dispositionAt, integerAt, sha256At, textAt, valueAt, type TrajectoryRecord } from './record.ts';

/** An event with what its place in the drawing depends on. */
export interface TrajectoryEvent extends EventKind {
  readonly record: TrajectoryRecord;
  readonly type: string;
  /** SHA-256 of the file that it is about. */
  readonly sha256: string | null;
  readonly fileName: string | null;
  readonly disposition: Disposition;
  /** SHA-256 and name of the process that did it. */
  readonly parent: string | null;
  readonly parentName: string | null;
  readonly parentDisposition: Disposition;
  readonly isNetwork: boolean;
  readonly detectionId: string | null;
}

/** Events of both families: activity, and what the service made of it (API reference, 4.5). */
export function readEvent(record: TrajectoryRecord): TrajectoryEvent {
  const typeId = integerAt(record, 'event_type_id');
  const type = textAt(record, 'event_type') ?? (typeId === null ? 'Unnamed event' : `Event ${typeId}`);
  const kind = kindOf(type, typeId);
  const sha256 = sha256At(record, 'file', 'identity', 'sha256');
  // Activity of the network may name a file by its path only; its process is the parent.
  const isNetwork = kind.shape === 'network' || (sha256 === null && valueAt(record, 'network_info') !== undefined);
  const by = isNetwork && valueAt(record, 'network_info', 'parent') !== undefined ? 'network_info' : 'file';
  const parentDisposition = dispositionAt(record, by, 'parent', 'disposition');
  const told = isNetwork ? parentDisposition : dispositionAt(record, 'file', 'disposition');
  return {
    ...kind,
    record,
    type,
    sha256: isNetwork ? null : sha256,
    fileName: isNetwork ? null : nameAt(record, 'file'),
    disposition: typeId === executionBlocked ? worse(told, 'blocked') : told,
    parent: sha256At(record, by, 'parent', 'identity', 'sha256'),
    parentName: nameAt(record, by, 'parent'),
    parentDisposition,
    isNetwork,
    detectionId: textAt(record, 'detection_id'),
  };
}

/** What was kept from running is not clean. */
const executionBlocked = 0x2100_0028;

/** The name, or the last part of the path where only that is told. */
function nameAt(record: TrajectoryRecord, ...path: readonly string[]): string | null {
  return (
    textAt(record, ...path, 'file_name') ??
    textAt(record, ...path, 'file_path')
      ?.split(/[\\/]/)
      .findLast((part) => part !== '') ??
    null
  );
}

const ranks: Readonly<Record<Disposition, number>> = { none: 0, clean: 1, unknown: 2, blocked: 3, malicious: 4 };

export function worse(one: Disposition, other: Disposition): Disposition {
  return ranks[other] > ranks[one] ? other : one;
}

/** Malicious or blocked, or something that was detected, quarantined, or could not be. */
export function isBad({
  disposition,
  shape,
  detectionId,
}: Pick<TrajectoryEvent, 'disposition' | 'shape' | 'detectionId'>): boolean {
  return (
    disposition === 'malicious' ||
    disposition === 'blocked' ||
    shape === 'detect' ||
    shape === 'quarantine' ||
    (shape === 'fail' && detectionId !== null)
  );
}
