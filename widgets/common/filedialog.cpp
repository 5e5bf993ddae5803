// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/filedialog.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{
constexpr QSize dialogSize(820, 520);
constexpr int sizeWidth = 84;
constexpr int dateWidth = 150;

struct FileDialogTexts {
    Q_DECLARE_TR_FUNCTIONS(FileDialog)
};

void layOut(QFileDialog *dialog, const QWidget *window)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    // Only Qt's own has it.
    if (auto *files = dialog->findChild<QTreeView *>(QStringLiteral("treeView"))) {
        enum Column { Name, Size, Type, Date };
        QHeaderView *header = files->header();
        header->setStretchLastSection(false);
        header->setSectionResizeMode(Name, QHeaderView::Stretch);
        header->hideSection(Type); // the name says it
        header->resizeSection(Size, sizeWidth);
        header->resizeSection(Date, dateWidth);
        dialog->resize(window ? dialogSize.boundedTo(window->window()->size() * 9 / 10) : dialogSize);
    }
}

QString filterOf(const SavedKind &kind)
{
    QStringList patterns;
    for (const QString &suffix : kind.suffixes) {
        patterns.append(u'*' + suffix);
    }
    return QStringLiteral("%1 (%2)").arg(
        kind.name, patterns.isEmpty() ? QStringLiteral("*") : patterns.join(QLatin1Char(' ')));
}

struct SaveFolders {
    QString last; // of the file that was opened or saved last
    QString ofRuns;
    QString start; // in which the program was started
};
SaveFolders &saveFolders()
{
    static SaveFolders folders;
    return folders;
}

// Files in a folder of a run are removed with the run, and the user does not look for them there.
bool maySaveIn(const QString &folder)
{
    const QString &runs = saveFolders().ofRuns;
    const bool isOfRuns = !runs.isEmpty() && (folder == runs || folder.startsWith(runs + QLatin1Char('/')));
    return QDir::isAbsolutePath(folder) && QFileInfo(folder).isDir() && !isOfRuns;
}

QString suggestedPlace(const QString &at)
{
    const QFileInfo wanted(at);
    const bool isGood = QDir::isAbsolutePath(at) && maySaveIn(wanted.path());
    return QDir(isGood ? wanted.path() : beginFolder()).filePath(wanted.fileName());
}

// Qt's own suffix is given only to names without any dot, such as not to "loss.v2".
class SaveDialog final : public QFileDialog
{
public:
    SaveDialog(QWidget *window, const QString &title, const QString &at, const QList<SavedKind> &kinds)
        : QFileDialog(window, title, at), m_kinds(kinds)
    {
        QStringList filters;
        for (const SavedKind &kind : kinds) {
            filters.append(filterOf(kind));
        }
        setNameFilters(filters);
        if (const qsizetype kind = kindOf(at); kind >= 0) {
            selectNameFilter(filters.at(kind));
        }
        setAcceptMode(AcceptSave); // from now on, Qt gives the name the suffix of a filter that is selected
    }
    QString whole(const QString &path) const
    {
        return withSuffixOf(path, m_kinds, std::max<qsizetype>(0, nameFilters().indexOf(selectedNameFilter())));
    }

protected:
    // The whole name is what Qt asks about before a file is replaced.
    void accept() override
    {
        const QString path = selectedFiles().value(0);
        if (!path.isEmpty() && !QFileInfo(path).isDir()) {
            auto *name = findChild<QLineEdit *>(QStringLiteral("fileNameEdit")); // only Qt's own has it
            if (const QString suffix = whole(path).mid(path.size()); name && !suffix.isEmpty()) {
                const QString typed = name->text();
                if (auto *list = findChild<QListView *>(QStringLiteral("listView"))) {
                    list->clearSelection(); // what is chosen there goes before what is typed
                }
                name->setText(typed + suffix);
            }
        }
        QFileDialog::accept();
    }

private:
    // The kind of the name that is suggested; -1: none. A file that is there has the name that the user gave it.
    qsizetype kindOf(const QString &at) const
    {
        const auto isOf = [&at](const QString &suffix) { return at.endsWith(suffix, Qt::CaseInsensitive); };
        const bool isThere = QFileInfo(at).isFile();
        for (qsizetype i = 0; i < m_kinds.size(); ++i) {
            const QStringList &suffixes = m_kinds.at(i).suffixes;
            if (suffixes.isEmpty() ? isThere : std::any_of(suffixes.cbegin(), suffixes.cend(), isOf)) {
                return i;
            }
        }
        return -1;
    }

    QList<SavedKind> m_kinds;
};
} // namespace

QFileDialog *makeFileDialog(QWidget *window, const QString &title, const QString &at, const QString &filter)
{
    auto *dialog = new QFileDialog(window, title, at, filter);
    layOut(dialog, window);
    return dialog;
}

QString withSuffixOf(const QString &path, const QList<SavedKind> &kinds, qsizetype chosen)
{
    const QString name = path.mid(path.lastIndexOf(QLatin1Char('/')) + 1);
    for (const SavedKind &kind : kinds) {
        for (const QString &suffix : kind.suffixes) {
            if (name.size() > suffix.size() && name.endsWith(suffix, Qt::CaseInsensitive)) {
                return path;
            }
        }
    }
    if (name.isEmpty() || chosen < 0 || chosen >= kinds.size() || kinds.at(chosen).suffixes.isEmpty()) {
        return path;
    }
    const QString suffix = kinds.at(chosen).suffixes.constFirst();
    return path.endsWith(QLatin1Char('.')) ? path + suffix.mid(1) : path + suffix;
}

void setSaveFolder(const QString &folder) { saveFolders().last = folder; }

// What starts programs from a menu does so in the root or in the home folder, which says nothing.
void setStartFolder(const QString &folder)
{
    const QFileInfo info(folder);
    const bool isMeant = QDir::isAbsolutePath(folder) && info.isDir() && info.isWritable() && !QDir(folder).isRoot()
        && info.canonicalFilePath() != QFileInfo(QDir::homePath()).canonicalFilePath();
    saveFolders().start = isMeant ? folder : QString();
}

QString beginFolder()
{
    const QString &last = saveFolders().last, &start = saveFolders().start;
    return maySaveIn(last) && !QDir(last).isRoot() ? last : maySaveIn(start) ? start : QDir::homePath();
}

QString beginFolderAt(const QString &path)
{
    QString folder = QDir::isAbsolutePath(path) ? QDir::cleanPath(path) : QString();
    while (!folder.isEmpty() && !QFileInfo(folder).isDir()) {
        folder = folder.left(folder.lastIndexOf(QLatin1Char('/')));
    }
    return folder.isEmpty() ? beginFolder() : folder;
}

void setFolderOfRuns(const QString &folder) { saveFolders().ofRuns = folder; }

void askToReplace(
    QWidget *window, const QStringList &paths, const QObject *context, const std::function<void()> &agreed)
{
    auto *box = new QMessageBox(
        QMessageBox::NoIcon, QStringLiteral("Trainyard"), {}, QMessageBox::Yes | QMessageBox::Cancel, window);
    box->setObjectName(QStringLiteral("replaceBox"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setText(paths.size() == 1
            ? FileDialogTexts::tr("%1 already exists. Replace it?").arg(paths.constFirst())
            : FileDialogTexts::tr("These files already exist. Replace them?\n\n%1").arg(paths.join(u'\n')));
    box->button(QMessageBox::Yes)->setText(FileDialogTexts::tr("Replace"));
    box->setDefaultButton(QMessageBox::Cancel);
    QObject::connect(box, &QMessageBox::buttonClicked, context, [box, agreed](QAbstractButton *button) {
        if (box->standardButton(button) == QMessageBox::Yes) {
            agreed();
        }
    });
    box->open();
}

QFileDialog *askWhereToSave(QWidget *window, const QString &title, const QString &at, const QList<SavedKind> &kinds,
    const QObject *context, const std::function<void(const QString &path)> &chosen)
{
    auto *dialog = new SaveDialog(window, title, suggestedPlace(at), kinds);
    layOut(dialog, window);
    QObject::connect(dialog, &QFileDialog::fileSelected, context,
        [dialog, window = QPointer<QWidget>(window), context, chosen](const QString &path) {
            const QString whole = dialog->whole(path);
            const auto take = [chosen, whole] {
                setSaveFolder(QFileInfo(whole).absolutePath());
                chosen(whole);
            };
            if (whole != path && QFileInfo::exists(whole)) {
                // After a dialog of the desktop, which knows nothing of the suffix and asked about the name without it.
                askToReplace(window, {whole}, context, take);
            } else {
                take();
            }
        });
    dialog->open();
    return dialog;
}

QString savedRunName(const QString &name, qint64 number)
{
    static const QRegularExpression odd(QStringLiteral(R"([/\\:*?"<>|\s]+)"));
    QStringList parts{
        QString(name).replace(odd, QStringLiteral("_")), number > 0 ? QString::number(number) : QString()};
    parts.removeAll(QString());
    return parts.join(u'-');
}

QList<SavedKind> savedTables() { return {{FileDialogTexts::tr("Comma-separated values"), {QStringLiteral(".csv")}}}; }

QList<SavedKind> savedPlots()
{
    return {{QStringLiteral("PDF"), {QStringLiteral(".pdf")}}, {QStringLiteral("SVG"), {QStringLiteral(".svg")}},
        {QStringLiteral("PNG"), {QStringLiteral(".png")}}};
}

} // namespace trainyard
