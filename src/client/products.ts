import * as connectionsSdk from '../../generated/connections/v1/sdk.gen.ts';
import type * as c from '../../generated/connections/v1/types.gen.ts';
import * as flightInfoAlertsSdk from '../../generated/flight-info-alerts/v1/sdk.gen.ts';
import type * as a from '../../generated/flight-info-alerts/v1/types.gen.ts';
import * as flightInfoSdk from '../../generated/flight-info/v2/sdk.gen.ts';
import type * as f from '../../generated/flight-info/v2/types.gen.ts';
import * as masterDataSdk from '../../generated/master-data/v1/sdk.gen.ts';
import type * as m from '../../generated/master-data/v1/types.gen.ts';
import * as schedulesSdk from '../../generated/schedules/v1/sdk.gen.ts';
import type * as s from '../../generated/schedules/v1/types.gen.ts';
import type { DescribedOperations, Operation } from './operation.ts';
import type { ProductDescription } from './product.ts';

/** Flight Info v2. */
export type FlightInfo = DescribedOperations<
  typeof flightInfoSdk,
  {
    listFlightInstances: Operation<f.ListFlightInstancesData, f.ListFlightInstancesResponses>;
    getFlightInstance: Operation<f.GetFlightInstanceData, f.GetFlightInstanceResponses>;
    getFlightInfoHealth: Operation<f.GetFlightInfoHealthData, f.GetFlightInfoHealthResponses>;
  }
>;

/** Schedules v1. */
export type Schedules = DescribedOperations<
  typeof schedulesSdk,
  {
    listSchedules: Operation<s.ListSchedulesData, s.ListSchedulesResponses>;
    getSchedule: Operation<s.GetScheduleData, s.GetScheduleResponses>;
    getSchedulesHealth: Operation<s.GetSchedulesHealthData, s.GetSchedulesHealthResponses>;
  }
>;

/** Connections v1. */
export type Connections = DescribedOperations<
  typeof connectionsSdk,
  {
    listConnections: Operation<c.ListConnectionsData, c.ListConnectionsResponses>;
    explainConnection: Operation<c.ExplainConnectionData, c.ExplainConnectionResponses>;
    getConnectionsHealth: Operation<c.GetConnectionsHealthData, c.GetConnectionsHealthResponses>;
  }
>;

/** Master Data v1. */
export type MasterData = DescribedOperations<
  typeof masterDataSdk,
  {
    listLocations: Operation<m.ListLocationsData, m.ListLocationsResponses>;
    getLocation: Operation<m.GetLocationData, m.GetLocationResponses>;
    listCarriers: Operation<m.ListCarriersData, m.ListCarriersResponses>;
    getCarrier: Operation<m.GetCarrierData, m.GetCarrierResponses>;
    listEquipment: Operation<m.ListEquipmentData, m.ListEquipmentResponses>;
    getEquipment: Operation<m.GetEquipmentData, m.GetEquipmentResponses>;
    getMasterDataHealth: Operation<m.GetMasterDataHealthData, m.GetMasterDataHealthResponses>;
  }
>;

/** Flight Info Alerts v1. */
export type FlightInfoAlerts = DescribedOperations<
  typeof flightInfoAlertsSdk,
  {
    createProfile: Operation<a.CreateProfileData, a.CreateProfileResponses>;
    getProfile: Operation<a.GetProfileData, a.GetProfileResponses>;
    updateProfile: Operation<a.UpdateProfileData, a.UpdateProfileResponses>;
    deleteProfile: Operation<a.DeleteProfileData, a.DeleteProfileResponses>;
    getServiceStatus: Operation<a.GetServiceStatusData, a.GetServiceStatusResponses>;
    listAlerts: Operation<a.ListAlertsData, a.ListAlertsResponses>;
    createAlert: Operation<a.CreateAlertData, a.CreateAlertResponses>;
    getAlert: Operation<a.GetAlertData, a.GetAlertResponses>;
    updateAlert: Operation<a.UpdateAlertData, a.UpdateAlertResponses>;
    deleteAlert: Operation<a.DeleteAlertData, a.DeleteAlertResponses>;
    previewAlert: Operation<a.PreviewAlertData, a.PreviewAlertResponses>;
    listEvents: Operation<a.ListEventsData, a.ListEventsResponses>;
    explainEvent: Operation<a.ExplainEventData, a.ExplainEventResponses>;
    listPushEndpoints: Operation<a.ListPushEndpointsData, a.ListPushEndpointsResponses>;
    createPushEndpoint: Operation<a.CreatePushEndpointData, a.CreatePushEndpointResponses>;
    getPushEndpoint: Operation<a.GetPushEndpointData, a.GetPushEndpointResponses>;
    updatePushEndpoint: Operation<a.UpdatePushEndpointData, a.UpdatePushEndpointResponses>;
    deletePushEndpoint: Operation<a.DeletePushEndpointData, a.DeletePushEndpointResponses>;
    getPushProgress: Operation<a.GetPushProgressData, a.GetPushProgressResponses>;
    pingPushEndpoint: Operation<a.PingPushEndpointData, a.PingPushEndpointResponses>;
    rotatePushSecret: Operation<a.RotatePushSecretData, a.RotatePushSecretResponses>;
    listDeliveries: Operation<a.ListDeliveriesData, a.ListDeliveriesResponses>;
    listDeadLetters: Operation<a.ListDeadLettersData, a.ListDeadLettersResponses>;
    redeliver: Operation<a.RedeliverData, a.RedeliverResponses>;
    getAccessKey: Operation<a.GetAccessKeyData, a.GetAccessKeyResponses>;
    getFlightInfoAlertsHealth: Operation<a.GetFlightInfoAlertsHealthData, a.GetFlightInfoAlertsHealthResponses>;
  }
>;

export const flightInfo: ProductDescription<FlightInfo> = {
  sdk: flightInfoSdk,
  product: 'flight-info',
  version: 'v2',
  lists: { listFlightInstances: true },
  keyed: {},
};

export const schedules: ProductDescription<Schedules> = {
  sdk: schedulesSdk,
  product: 'schedules',
  version: 'v1',
  lists: { listSchedules: true },
  keyed: {},
};

export const connections: ProductDescription<Connections> = {
  sdk: connectionsSdk,
  product: 'connections',
  version: 'v1',
  lists: { listConnections: true },
  keyed: {},
};

export const masterData: ProductDescription<MasterData> = {
  sdk: masterDataSdk,
  product: 'master-data',
  version: 'v1',
  lists: { listLocations: true, listCarriers: true, listEquipment: true },
  keyed: {},
};

export const flightInfoAlerts: ProductDescription<FlightInfoAlerts> = {
  sdk: flightInfoAlertsSdk,
  product: 'flight-info-alerts',
  version: 'v1',
  lists: { listDeliveries: true, listDeadLetters: true },
  keyed: { createProfile: true, createAlert: true, createPushEndpoint: true, rotatePushSecret: true },
};
