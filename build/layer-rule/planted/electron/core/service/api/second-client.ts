import axios from 'axios'; // expect: cordon(imports)
export const used = axios;
