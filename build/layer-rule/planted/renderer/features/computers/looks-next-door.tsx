import { ComputerHeader } from '../computer/header.tsx'; // expect: cordon(imports)
import { router } from '#renderer/app/router.tsx'; // expect: cordon(imports)
import { columns } from './columns.tsx';
export const used = [ComputerHeader, router, columns];
