import type { RequestRecord } from './pipeline.ts';

const requestsKept = 10_000;

export interface RequestLog {
  readonly records: readonly RequestRecord[];
  /** Appends a record and returns the way to fill in its status. */
  readonly record: (record: RequestRecord) => (status: number) => void;
  readonly clear: () => void;
}

export function createRequestLog(): RequestLog {
  const records: RequestRecord[] = [];
  return {
    records,
    clear: () => void records.splice(0),
    record: (record) => {
      records.push(record);
      if (records.length > requestsKept) records.shift();
      return (status) => {
        const index = records.lastIndexOf(record);
        if (index >= 0) records[index] = { ...record, status };
      };
    },
  };
}
