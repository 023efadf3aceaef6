/** The formats that come with Kashbox, in the order in which they are tried. */
import { MFS_A_CREDITS } from './formats/mfs-a.js';
import { MFS_A_OTHERS } from './formats/mfs-a-other.js';
import { MFS_B_FORMATS } from './formats/mfs-b.js';
import { MFS_C_FORMATS } from './formats/mfs-c.js';
import { MFS_D_FORMATS } from './formats/mfs-d.js';
import type { FormatFile } from './types.js';

export const BUILT_IN_FORMATS: readonly FormatFile[] = [
  MFS_A_CREDITS,
  MFS_A_OTHERS,
  MFS_B_FORMATS,
  MFS_C_FORMATS,
  MFS_D_FORMATS,
];
