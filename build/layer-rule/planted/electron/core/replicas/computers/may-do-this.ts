// What the table allows: nothing here is reported.
import { join } from 'node:path';
import { z } from 'zod';
import { type ErrorReport } from '#contract/errors.ts';
import { type WriteToken } from '#core/service/api/write-token.ts';
import { type Clock } from '#base/ports.ts';
export const used = [join, z];
export type Used = ErrorReport | WriteToken | Clock;
