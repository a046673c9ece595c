/**
 * Metric tonnes and the IATA codes of the types that carry so much: what a passenger flight usually has room for besides
 * bags, or the payload of a freighter. Round figures of common knowledge, not limits of an aircraft: fields, winds and
 * configurations move them by a third and more.
 */
const table = `
  0.2: BEH J41 L4T SWM
  0.3: DH1 DH2 DHT EM2 SF3 SFB
  0.4: ER3 ERD
  0.5: AT4 AT5 AT6 CR1 CR2 DH3 DH8 ER4 ERJ F50 S20 SH6
  0.6: CRJ
  0.8: 141 142 AR8 AT7 C27 CR5 CR7 DH4 E70 E75 E7W F70 S9S SU1 SU7 SU9
  0.9: 275 CR9 CRA EMJ
  1: 100 143 290 318 32C 717 732 73A AR1 CRK D93 DC9 E90 M95
  1.2: 295 735 736 73E D95 E95 M87
  1.5: 220 221 319 31N 32D 733 737 73C 73G 73W 7M7 7S7 CS1 M80 M81 M82 M83 M88 M90
  1.8: 734
  2: 223 320 32A 32N 32S 722 738 73H 7M8 7S8 919 CS3
  2.2: 739 73J 7M9 7S9
  2.5: 321 32B 32Q 7M1 7MJ
  3: 752 757 75W T20
  3.5: 753 75T
  4: DHF
  5: D3X
  5.5: ATZ
  8: 310 312 313 762 APF ATF
  10: 763 767 76W 783 AB4
  11: 764 788
  12: 342 380 388 787 AB6 I93 IL9
  13: 330 332 338 340 343 345
  14: 333 339 742 743 772 789
  15: 350 358 359 73X 744 747 77L 781 78J M11
  16: 346
  17: 777
  18: 351 73F 73S 73T 73Y 748 74H 773 A78
  20: 73P 73Z 779 77W ANF
  21: 32F
  22: 73K 73U 7F8
  24: 72Y
  27: 32X
  28: 75C 75F 75V
  35: 74E
  36: 31X
  38: 31Y
  42: 76X
  43: ABX
  44: 33B
  45: D8F IL7
  50: ABF
  52: 76F 76V 76Y ABY
  62: 33Y
  65: 33F 33X
  70: D1F
  75: D1Y
  90: M1F
  92: I9F
  100: 74X 77V
  102: 77F 77X
  113: 74F 74Y
  120: A4F
  134: 74N`;

/** Usual cargo of a type by its IATA code, metric tonnes. */
export const cargoTonnes: ReadonlyMap<string, number> = new Map(
  table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [tonnes = '', codes = ''] = line.split(': ');
      return codes.split(' ').map((iata): [string, number] => [iata, Number(tonnes)]);
    }),
);
