// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/labels.h"

class QGridLayout;
class QLineEdit;

namespace trainyard
{

// The parts of the dialogs of clusters.
QLineEdit *clusterField(const char *name, const QString &accessibleName, const QString &text);
ColourLabel *clusterFieldError(const char *name);
// The field also has the sentence as its description, for users of a screen reader.
void sayBeside(QLineEdit *field, QLabel *label, const QString &error);
QGridLayout *clusterGrid(QWidget *fields);
// A field with its caption in the next row of the grid, and what is said of it below.
void addToClusterGrid(QGridLayout *grid, const QString &caption, QWidget *field, const QList<QWidget *> &below);

} // namespace trainyard
