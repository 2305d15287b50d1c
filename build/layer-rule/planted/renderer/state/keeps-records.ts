import { useQuery } from '@tanstack/react-query'; // expect: cordon(imports)
export const used = useQuery;
