import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { CONFIG, type Config, type StorageConfig } from '../config/config.js';
import { RolesModule } from '../roles/roles.module.js';
import { MediaLibraryController } from './media-library.controller.js';
import { MediaLibraryService } from './media-library.service.js';
import { MediaSweepService } from './media-sweep.service.js';
import { MediaCheckService } from './media-check.service.js';
import { MediaController } from './media.controller.js';
import { MediaRepairService } from './media-repair.service.js';
import { FolderStorage } from './storage/folder-storage.js';
import { STORAGE, type Storage } from './storage/storage.js';
import { PlayableFilesService } from './playable-files.service.js';
import { UploadsController } from './uploads.controller.js';
import { UploadsService } from './uploads.service.js';
import { ImageWorkshop } from './image-workshop.js';
import { UploadIntake } from './upload-intake.js';
import { Image } from './image.entity.js';
import { ImageUse } from './image-use.entity.js';
import { MediaState } from './media-state.entity.js';

export { ImageWorkshop } from './image-workshop.js';
export { readAgain, readStored, readStoredFacts } from './storage/read-stored.js';
export { StorageError, type Storage } from './storage/storage.js';

/** Images: taking them in, keeping them, handing them out. Needs the global providers CONFIG, Clock and EntityManager. */
@Module({
  imports: [MikroOrmModule.forFeature([Image, ImageUse, MediaState]), AuditModule, RolesModule],
  controllers: [MediaController, UploadsController, MediaLibraryController],
  providers: [
    UploadsService,
    PlayableFilesService,
    UploadIntake,
    ImageWorkshop,
    MediaLibraryService,
    MediaSweepService,
    MediaCheckService,
    MediaRepairService,
    { provide: STORAGE, inject: [CONFIG], useFactory: (config: Config) => createStorage(config.storage) },
  ],
  exports: [
    UploadsService,
    PlayableFilesService,
    ImageWorkshop,
    MediaLibraryService,
    MediaSweepService,
    MediaCheckService,
    MediaRepairService,
  ],
})
export class UploadsModule {}

/** The driver that the configuration names. */
export async function createStorage(config: StorageConfig): Promise<Storage> {
  if (config.driver === 'folder') return new FolderStorage(config.folder);
  // The S3 library is large; whoever keeps images in a folder starts without it.
  const { S3Storage } = await import('./storage/s3-storage.js');
  return new S3Storage(config);
}
