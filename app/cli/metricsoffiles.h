// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace trainyard::cli
{

struct MetricsOfFiles {
    QString path; // a file, or a folder with the files of runs
    QStringList names;
    bool json = false, csv = false;
};

// Prints the metrics in files of training programs; returns an exit status.
int printMetricsOfFiles(const MetricsOfFiles &wanted);

} // namespace trainyard::cli
