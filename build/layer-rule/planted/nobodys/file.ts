import { z } from 'zod'; // expect: cordon(imports)
export const used = z;
