// Generated from the documents under spec/ by `make generate`; do not edit.
import type { DescribedOperations, Operation } from '../src/client/operation.ts';
import { createProduct, type ProductDescription, type ServiceConnection } from '../src/client/product.ts';
import * as sdk0 from './connections/v1/sdk.gen.ts';
import type * as types0 from './connections/v1/types.gen.ts';
export type * as ConnectionsTypes from './connections/v1/types.gen.ts';
import * as sdk1 from './flight-info/v2/sdk.gen.ts';
import type * as types1 from './flight-info/v2/types.gen.ts';
export type * as FlightInfoTypes from './flight-info/v2/types.gen.ts';
import * as sdk2 from './flight-info-alerts/v1/sdk.gen.ts';
import type * as types2 from './flight-info-alerts/v1/types.gen.ts';
export type * as FlightInfoAlertsTypes from './flight-info-alerts/v1/types.gen.ts';
import * as sdk3 from './master-data/v1/sdk.gen.ts';
import type * as types3 from './master-data/v1/types.gen.ts';
export type * as MasterDataTypes from './master-data/v1/types.gen.ts';
import * as sdk4 from './schedules/v1/sdk.gen.ts';
import type * as types4 from './schedules/v1/types.gen.ts';
export type * as SchedulesTypes from './schedules/v1/types.gen.ts';
import * as sdk5 from './status-feed/v1/sdk.gen.ts';
import type * as types5 from './status-feed/v1/types.gen.ts';
export type * as StatusFeedTypes from './status-feed/v1/types.gen.ts';

/** Connections v1. */
export type Connections = DescribedOperations<
  typeof sdk0,
  {
    listConnections: Operation<types0.ListConnectionsData, types0.ListConnectionsResponses>;
    explainConnection: Operation<types0.ExplainConnectionData, types0.ExplainConnectionResponses>;
    getConnectionsHealth: Operation<types0.GetConnectionsHealthData, types0.GetConnectionsHealthResponses>;
  }
>;

const connections: ProductDescription<Connections> = {
  sdk: sdk0,
  product: 'connections',
  version: 'v1',
  lists: { listConnections: true },
  keyed: {},
};

/** Flight Info v2. */
export type FlightInfo = DescribedOperations<
  typeof sdk1,
  {
    listFlightInstances: Operation<types1.ListFlightInstancesData, types1.ListFlightInstancesResponses>;
    getFlightInstance: Operation<types1.GetFlightInstanceData, types1.GetFlightInstanceResponses>;
    getFlightInfoHealth: Operation<types1.GetFlightInfoHealthData, types1.GetFlightInfoHealthResponses>;
  }
>;

const flightInfo: ProductDescription<FlightInfo> = {
  sdk: sdk1,
  product: 'flight-info',
  version: 'v2',
  lists: { listFlightInstances: true },
  keyed: {},
};

/** Flight Info Alerts v1. */
export type FlightInfoAlerts = DescribedOperations<
  typeof sdk2,
  {
    createProfile: Operation<types2.CreateProfileData, types2.CreateProfileResponses>;
    getProfile: Operation<types2.GetProfileData, types2.GetProfileResponses>;
    updateProfile: Operation<types2.UpdateProfileData, types2.UpdateProfileResponses>;
    deleteProfile: Operation<types2.DeleteProfileData, types2.DeleteProfileResponses>;
    getServiceStatus: Operation<types2.GetServiceStatusData, types2.GetServiceStatusResponses>;
    listAlerts: Operation<types2.ListAlertsData, types2.ListAlertsResponses>;
    createAlert: Operation<types2.CreateAlertData, types2.CreateAlertResponses>;
    updateAlert: Operation<types2.UpdateAlertData, types2.UpdateAlertResponses>;
    getAlert: Operation<types2.GetAlertData, types2.GetAlertResponses>;
    deleteAlert: Operation<types2.DeleteAlertData, types2.DeleteAlertResponses>;
    previewAlert: Operation<types2.PreviewAlertData, types2.PreviewAlertResponses>;
    listEvents: Operation<types2.ListEventsData, types2.ListEventsResponses>;
    explainEvent: Operation<types2.ExplainEventData, types2.ExplainEventResponses>;
    listPushEndpoints: Operation<types2.ListPushEndpointsData, types2.ListPushEndpointsResponses>;
    createPushEndpoint: Operation<types2.CreatePushEndpointData, types2.CreatePushEndpointResponses>;
    getPushEndpoint: Operation<types2.GetPushEndpointData, types2.GetPushEndpointResponses>;
    updatePushEndpoint: Operation<types2.UpdatePushEndpointData, types2.UpdatePushEndpointResponses>;
    deletePushEndpoint: Operation<types2.DeletePushEndpointData, types2.DeletePushEndpointResponses>;
    getPushProgress: Operation<types2.GetPushProgressData, types2.GetPushProgressResponses>;
    pingPushEndpoint: Operation<types2.PingPushEndpointData, types2.PingPushEndpointResponses>;
    rotatePushSecret: Operation<types2.RotatePushSecretData, types2.RotatePushSecretResponses>;
    listDeliveries: Operation<types2.ListDeliveriesData, types2.ListDeliveriesResponses>;
    listDeadLetters: Operation<types2.ListDeadLettersData, types2.ListDeadLettersResponses>;
    redeliver: Operation<types2.RedeliverData, types2.RedeliverResponses>;
    getAccessKey: Operation<types2.GetAccessKeyData, types2.GetAccessKeyResponses>;
    getFlightInfoAlertsHealth: Operation<types2.GetFlightInfoAlertsHealthData, types2.GetFlightInfoAlertsHealthResponses>;
  }
>;

const flightInfoAlerts: ProductDescription<FlightInfoAlerts> = {
  sdk: sdk2,
  product: 'flight-info-alerts',
  version: 'v1',
  lists: { listDeliveries: true, listDeadLetters: true },
  keyed: { createProfile: true, createAlert: true, createPushEndpoint: true, rotatePushSecret: true },
};

/** Master Data v1. */
export type MasterData = DescribedOperations<
  typeof sdk3,
  {
    listLocations: Operation<types3.ListLocationsData, types3.ListLocationsResponses>;
    getLocation: Operation<types3.GetLocationData, types3.GetLocationResponses>;
    listCarriers: Operation<types3.ListCarriersData, types3.ListCarriersResponses>;
    getCarrier: Operation<types3.GetCarrierData, types3.GetCarrierResponses>;
    listEquipment: Operation<types3.ListEquipmentData, types3.ListEquipmentResponses>;
    getEquipment: Operation<types3.GetEquipmentData, types3.GetEquipmentResponses>;
    getSource: Operation<types3.GetSourceData, types3.GetSourceResponses>;
    getMasterDataHealth: Operation<types3.GetMasterDataHealthData, types3.GetMasterDataHealthResponses>;
  }
>;

const masterData: ProductDescription<MasterData> = {
  sdk: sdk3,
  product: 'master-data',
  version: 'v1',
  lists: { listLocations: true, listCarriers: true, listEquipment: true },
  keyed: {},
};

/** Schedules v1. */
export type Schedules = DescribedOperations<
  typeof sdk4,
  {
    listSchedules: Operation<types4.ListSchedulesData, types4.ListSchedulesResponses>;
    getSchedule: Operation<types4.GetScheduleData, types4.GetScheduleResponses>;
    getSchedulesHealth: Operation<types4.GetSchedulesHealthData, types4.GetSchedulesHealthResponses>;
  }
>;

const schedules: ProductDescription<Schedules> = {
  sdk: sdk4,
  product: 'schedules',
  version: 'v1',
  lists: { listSchedules: true },
  keyed: {},
};

/** Status Feed v1. */
export type StatusFeed = DescribedOperations<
  typeof sdk5,
  {
    storeStatusMessages: Operation<types5.StoreStatusMessagesData, types5.StoreStatusMessagesResponses>;
    storeMovementTelegrams: Operation<types5.StoreMovementTelegramsData, types5.StoreMovementTelegramsResponses>;
    storeAidx: Operation<types5.StoreAidxData, types5.StoreAidxResponses>;
    getStatusFeedHealth: Operation<types5.GetStatusFeedHealthData, types5.GetStatusFeedHealthResponses>;
  }
>;

const statusFeed: ProductDescription<StatusFeed> = {
  sdk: sdk5,
  product: 'status-feed',
  version: 'v1',
  lists: {},
  keyed: { storeStatusMessages: true, storeMovementTelegrams: true, storeAidx: true },
};

/** The products of the service, each in its newest version. */
export type Products = {
  readonly connections: Connections;
  readonly flightInfo: FlightInfo;
  readonly flightInfoAlerts: FlightInfoAlerts;
  readonly masterData: MasterData;
  readonly schedules: Schedules;
  readonly statusFeed: StatusFeed;
};

/** Creates the products of a client. */
export const createProducts = (connection: ServiceConnection): Products => ({
  connections: createProduct(connections, connection),
  flightInfo: createProduct(flightInfo, connection),
  flightInfoAlerts: createProduct(flightInfoAlerts, connection),
  masterData: createProduct(masterData, connection),
  schedules: createProduct(schedules, connection),
  statusFeed: createProduct(statusFeed, connection),
});
