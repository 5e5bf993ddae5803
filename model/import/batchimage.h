// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/import/batchfindings.h"
#include "model/import/batchoptions.h"
#include "model/yaml/yamlwriter.h"

#include <QList>
#include <QString>

#include <utility>

// Containers, as Slurm's plugin pyxis writes them.
namespace trainyard::batch
{

// The address of an image for a job: "nvcr.io#nvidia/pytorch:24.01" is nvcr.io/nvidia/pytorch:24.01. Empty: the image
// is not in a registry but a file, or is known only when the script runs.
QString addressOfImage(const QString &image);

// Says what a job cannot express: folders of the node in a container, and the folder in which it begins.
void sayOfContainer(const Option &option, Findings &findings);
// Says that `image` is left out where the same task has another one.
void sayOfOtherImage(const QString &used, const QString &image, const ByteRange &at, Findings &findings);

// The images of a job.
class Images
{
public:
    // `image` as a script says it; empty: none. `program`: what gives it to the tasks; empty: that is left open.
    void take(const QString &image, const ByteRange &at, Findings &findings, const QString &program = {});
    QString nameOf(const QString &image) const; // of its prerequisite; empty: it has none
    YamlWriter prerequisites() const; // empty without images

private:
    QList<std::pair<QString, QString>> m_all; // as the script says them, and their addresses; empty: they have none
};

} // namespace trainyard::batch
