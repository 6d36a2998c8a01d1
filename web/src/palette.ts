// Colors of bodies, of lines (each at least 3.3:1 on its panel) and of the two themes.

export const kBodyColors = ['#3f78b5', '#e08a3c', '#3f9d78', '#c9566b', '#7c6bb8', '#d3b03f', '#4aa3b8', '#8a8f98'];
/** More lines than this are not told apart by color. */
export const kMostColors = 6;

export interface Theme {
  name: 'light' | 'dark';
  sky: number;
  floor: number;
  grid: number;
  shadow: number;
  /** How dark shadows are on the floor. */
  shade: number;
  /** Things of the world that carry the mechanism. */
  anchor: number;
  text: string;
  axis: string;
  accent: string;
  force: string;
  lines: string[];
}
export const kThemes: Record<'light' | 'dark', Theme> = {
  light: {
    name: 'light', sky: 0xf4f6f8, floor: 0xd9dfe6, grid: 0x8a97a6, shadow: 0x0b1724, shade: 0.34, anchor: 0x8d97a2,
    text: '#16202b', axis: '#e8ecf0', accent: '#2a62e8', force: '#e5484d',
    lines: ['#2a6fdb', '#d9480f', '#2b8a3e', '#9c36b5', '#b08800', '#0b8793', '#c2255c', '#5f6b76'],
  },
  dark: {
    name: 'dark', sky: 0x171b21, floor: 0x2b323c, grid: 0x93a4b8, shadow: 0x000000, shade: 0.6, anchor: 0x75808c,
    text: '#e6ecf2', axis: '#262d35', accent: '#7aa2ff', force: '#ff6369',
    lines: ['#6ea8fe', '#ff8f5a', '#63c174', '#d09bf0', '#e3b341', '#4fc3d0', '#ff85a8', '#a3b0bd'],
  },
};
