// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QMessageBox>

#include <functional>

namespace trainyard
{

// A question in the look of our dialogs: what it is about as a heading, what follows from the answers below it.
// Modeless to the program, deleted when it closes; connect to buttonClicked and open() it.
QMessageBox *makeAskBox(
    QWidget *parent, const QString &heading, const QString &words, QMessageBox::StandardButtons buttons);
// Opens a box of which only Yes leads to something, as long as `context` is there.
void openAskBox(QMessageBox *box, QObject *context, const std::function<void()> &agreed);

// Work of more than a minute is not ended by one click.
bool asksBeforeStop(const JobSummary &job, qint64 now);
QMessageBox *makeStopBox(QWidget *parent, const JobSummary &job, qint64 now); // Yes stops it
// Asks how to retry `jobs`, some of which have succeeded. Yes retries all of them; No, where there are others, only
// these.
QMessageBox *makeRetryBox(QWidget *parent, qsizetype jobs, qsizetype succeeded);

} // namespace trainyard
