/** The identifiers of telegrams that airlines, handling agents and airports send each other. */
const telegramTypes = new Set(
  [
    // Movement, load, and schedule.
    'MVT MVA DIV LDM CPM UCM SCM LPM SLS ALI SOM IDM FMM SSM ASM SCR SAQ SIR SMA SHL SAL WCR WIR',
    // Passengers and baggage.
    'PSM PTM TPM PNL ADL PRL PFS FTL ETL PIL PAL CAL RQL SRL BSM BTM BPM BUM BNS BRQ CBM',
    // Cargo.
    'FFM FWB FHL FSU FBL FFR FFA FNA FMA UWS NTM',
  ].flatMap((names) => names.split(' ')),
);

const identifierLine = /^(?:(?:COR|PDM) )*([A-Z]{3})(?:\/\d{1,2})?$/;

/** Returns the type that an identifier line names, such as LDM; undefined for another line. */
export const findTelegramType = ({ text }: { readonly text: string }): string | undefined => {
  const type = identifierLine.exec(text)?.[1] ?? '';
  return telegramTypes.has(type) ? type : undefined;
};
