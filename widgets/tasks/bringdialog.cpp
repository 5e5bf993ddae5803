// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/bringdialog.h"

#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/wordbreaks.h"
#include "widgets/text/broughttexts.h"
#include "widgets/text/formats.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{

constexpr int bringDialogWidth = 520;
constexpr int progressSteps = 1000; // bytes need not fit an int
constexpr int remarkLines = 5;

} // namespace

BringDialog::BringDialog(const QString &task, const QString &host, const QString &folder, QWidget *parent)
    : QDialog(parent), m_text(plainLabel()), m_folder(new QLineEdit(folder)), m_choose(new QPushButton(tr("Choose…"))),
      m_progress(new QProgressBar), m_remarks(new QListWidget), m_bar(new InfoBar)
{
    setObjectName(QStringLiteral("bringDialog"));
    setWindowTitle(tr("Bring files here"));
    setAttribute(Qt::WA_DeleteOnClose);
    setMinimumWidth(bringDialogWidth);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space4, metrics::space4, metrics::space4, metrics::space4);
    layout->setSpacing(metrics::space3);
    layout->addWidget(nameHeading(tr("%1 on %2").arg(task, host), task));
    m_bar->setBoxed(true);
    m_bar->setClosable(false);
    m_bar->hide();
    layout->addWidget(m_bar);
    m_text->setObjectName(QStringLiteral("bringText"));
    m_text->setWordWrap(true);
    layout->addWidget(m_text);
    auto *row = new QHBoxLayout;
    row->setSpacing(metrics::space2);
    row->addWidget(mutedLabel(tr("Folder")));
    m_folder->setAccessibleName(tr("Folder on this computer"));
    row->addWidget(m_folder, 1);
    row->addWidget(m_choose);
    layout->addLayout(row);
    m_progress->setRange(0, progressSteps);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress"));
    m_progress->hide();
    layout->addWidget(m_progress);
    m_remarks->setAccessibleName(tr("Remarks"));
    m_remarks->setWordWrap(true);
    m_remarks->setFixedHeight(QFontMetrics(m_remarks->font()).lineSpacing() * remarkLines + metrics::space3);
    m_remarks->hide();
    layout->addWidget(m_remarks);
    auto *buttons = new QDialogButtonBox;
    m_close = buttons->addButton(QDialogButtonBox::Cancel);
    m_bring = buttons->addButton(tr("Bring here"), QDialogButtonBox::ActionRole);
    m_bring->setObjectName(QStringLiteral("bringButton"));
    setButtonKind(m_bring, ButtonKind::Primary);
    m_bring->setDefault(true);
    layout->addWidget(buttons);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_bring, &QPushButton::clicked, this, &BringDialog::begin);
    connect(m_choose, &QPushButton::clicked, this, &BringDialog::chooseFolder);
    connect(m_folder, &QLineEdit::editingFinished, this, [this] {
        if (m_folder->isModified()) {
            m_folder->setModified(false);
            look();
        }
    });
    // Its creator connects to it only afterwards.
    QMetaObject::invokeMethod(this, &BringDialog::look, Qt::QueuedConnection);
}

QString BringDialog::folder() const
{
    const QString typed = m_folder->text().trimmed();
    const bool isOfHome = typed == QLatin1String("~") || typed.startsWith(QLatin1String("~/"));
    return QDir::cleanPath(isOfHome ? QString(QDir::homePath() + typed.mid(1)) : QDir::home().absoluteFilePath(typed));
}

void BringDialog::chooseFolder()
{
    auto *dialog = new QFileDialog(this, tr("Folder for the files"), folder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &chosen) {
        m_folder->setText(chosen);
        look();
    });
    dialog->open();
}

void BringDialog::setBusy(bool on)
{
    m_isBusy = on;
    m_folder->setEnabled(!on && !m_isOver);
    m_choose->setEnabled(!on && !m_isOver);
    m_bring->setEnabled(!on && !m_isOver && m_files > 0);
}

void BringDialog::look()
{
    if (m_isOver || m_progress->isVisibleTo(this) || m_folder->text().trimmed().isEmpty()) {
        return;
    }
    setBusy(true);
    m_text->setText(tr("Looking at the files…"));
    Q_EMIT lookWanted(folder());
}

void BringDialog::setPreview(qsizetype files, qint64 bytes, qsizetype alreadyHere, const QStringList &notes)
{
    m_files = files;
    m_bytes = bytes;
    setBusy(false);
    const QString known = alreadyHere == 1 ? tr("One is here already.") : tr("%1 are here already.").arg(alreadyHere);
    const QString here = alreadyHere > 0 ? QString(QLatin1Char(' ') + known) : QString();
    m_text->setText((files > 0                ? tr("This brings %1.").arg(filesText(files, bytes))
                            : alreadyHere > 0 ? tr("There is nothing new.")
                                              : tr("There are no such files."))
        + here);
    m_remarks->clear();
    m_remarks->hide();
    for (const QString &note : notes) {
        addRemark(note);
    }
    if (m_files > 0) {
        m_bring->setFocus();
    }
}

void BringDialog::begin()
{
    if (m_isBusy || m_isOver || m_files == 0) {
        return;
    }
    setBusy(true);
    m_progress->show();
    setProgress(0, 0, {});
    Q_EMIT bringWanted();
}

void BringDialog::setProgress(qsizetype filesDone, qint64 bytesDone, const QString &current)
{
    m_progress->setValue(m_bytes > 0 ? int(double(bytesDone) / double(m_bytes) * progressSteps) : 0);
    const QString so
        = tr("%1 of %2, %3 of %4 files")
              .arg(formatBytes(bytesDone), formatBytes(m_bytes), QString::number(filesDone), QString::number(m_files));
    m_text->setText(current.isEmpty() ? so : breakable(so + QLatin1Char('\n') + current));
}

void BringDialog::addRemark(const QString &sentence)
{
    m_remarks->addItem(sentence);
    m_remarks->show();
}

void BringDialog::setEnded(qsizetype brought, const QString &problem)
{
    m_isOver = true;
    setBusy(false);
    m_close->setText(tr("Close"));
    m_close->setFocus();
    m_progress->setValue(problem.isEmpty() ? progressSteps : m_progress->value());
    m_text->setText(
        breakable(brought == 1 ? tr("One file was brought to %1.").arg(folder())
                               : tr("%1 files were brought to %2.").arg(QString::number(brought), folder())));
    if (!problem.isEmpty()) {
        m_bar->show(InfoBar::Kind::Failed, problem);
    }
}

void BringDialog::done(int result)
{
    if (m_isBusy) {
        m_isBusy = false;
        m_isOver = true;
        Q_EMIT cancelled();
    }
    QDialog::done(result);
}

} // namespace trainyard
