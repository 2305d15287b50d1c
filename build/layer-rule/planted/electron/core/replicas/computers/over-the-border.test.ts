// A test may use real neighbours, but not everything.
import { startSandbox } from '#sandbox/server.ts';
import { test } from 'vitest';
import { useState } from 'react'; // expect: cordon(imports)
export const used = [startSandbox, test, useState];
